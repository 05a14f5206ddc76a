"use strict";
// A vertical line through all panels of the view shown, with a readout of the means.
const DATA = JSON.parse(document.getElementById("data").textContent);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const view = { number: Number(document.querySelector("[data-view-of]:not([hidden])").dataset.viewOf), percent: 0 };
const root = () => document.querySelector(`[data-view-of="${view.number}"]`);

function told(value, digits) {
  if (value === null || value === undefined) return "\u2013";
  const text = value.toFixed(digits);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "\u2212");
}

function moveTo(percent, seen = true) {
  view.percent = Math.max(0, Math.min(100, Math.round(percent)));
  document.body.classList.toggle("oncur", seen);
  const { curves } = DATA.views[view.number];
  for (const panel of all(".panel[data-n]", root())) {
    const own = curves[panel.dataset.n];
    panel.querySelector(".cur").setAttribute("transform", `translate(${(21.2 * view.percent).toFixed(1)} 0)`);
    for (const side of ["L", "R"]) {
      const place = panel.querySelector(`.rd .${side}c`);
      place.textContent = own[side] ? `${side} ${told(own[side][view.percent], own.d)}` : "";
    }
  }
  const slider = root().querySelector("[data-percent]");
  if (slider) {
    slider.value = view.percent;
    const place = root().querySelector("[data-told]");
    place.textContent = `${view.percent} % of ${place.dataset.told}`;
    drawFigure();
  }
}

function percentAt(svg, event) {
  const box = svg.getBoundingClientRect();
  return (((event.clientX - box.x) / box.width) * 240 - 24) / 2.12;
}

for (const panel of all(".panel[data-n]")) {
  const svg = panel.querySelector("svg");
  svg.addEventListener("pointermove", (event) => moveTo(percentAt(svg, event)));
  svg.addEventListener("click", (event) => moveTo(percentAt(svg, event)));
}
