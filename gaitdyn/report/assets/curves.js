"use strict";
// A vertical line through all panels of the view shown, with a readout of the means.
const DATA = JSON.parse(document.getElementById("data").textContent);
const elements = (selector, parent = document) => [...parent.querySelectorAll(selector)];
const shown = { view: Number(document.querySelector("[data-view-of]:not([hidden])").dataset.viewOf), percent: 0 };
const shownView = () => document.querySelector(`[data-view-of="${shown.view}"]`);

function numberText(value, digits) {
  if (value === null || value === undefined) return "\u2013";
  const text = value.toFixed(digits);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "\u2212");
}

function moveCursor(percent, visible = true) {
  shown.percent = Math.max(0, Math.min(100, Math.round(percent)));
  document.body.classList.toggle("oncur", visible);
  const { curves } = DATA.views[shown.view];
  for (const panel of elements(".panel[data-n]", shownView())) {
    const curve = curves[panel.dataset.n];
    panel.querySelector(".cur").setAttribute("transform", `translate(${(21.2 * shown.percent).toFixed(1)} 0)`);
    for (const side of ["L", "R"]) {
      const readout = panel.querySelector(`.rd .${side}c`);
      readout.textContent = curve[side] ? `${side} ${numberText(curve[side][shown.percent], curve.digits)}` : "";
    }
  }
  const slider = shownView().querySelector("[data-percent]");
  if (slider) {
    slider.value = shown.percent;
    const caption = shownView().querySelector("[data-told]");
    caption.textContent = `${shown.percent} % of ${caption.dataset.told}`;
    drawFigure();
  }
}

function percentUnder(pointer, svg) {
  const box = svg.getBoundingClientRect();
  return (((pointer.clientX - box.x) / box.width) * 240 - 24) / 2.12;
}

for (const panel of elements(".panel[data-n]")) {
  const svg = panel.querySelector("svg");
  for (const event of ["pointermove", "click"]) {
    svg.addEventListener(event, (pointer) => moveCursor(percentUnder(pointer, svg)));
  }
}
