// Buttons: sides, numbers, groups of trials, comparison, the engineer's part, comments.
function press(buttons, chosen) {
  for (const one of buttons) one.setAttribute("aria-pressed", String(one === chosen));
}

for (const button of all("[data-show]")) {
  button.addEventListener("click", () => {
    const { show } = button.dataset;
    for (const one of all("[data-show]")) one.setAttribute("aria-pressed", String(one.dataset.show === show));
    document.body.classList.toggle("noL", show === "R");
    document.body.classList.toggle("noR", show === "L");
  });
}

for (const button of all("[data-numbers]")) {
  button.addEventListener("click", () => {
    const on = document.body.classList.toggle("numbers");
    for (const one of all("[data-numbers]")) one.setAttribute("aria-pressed", String(on));
    for (const details of all(".panel .tb")) details.open = on;
  });
}

for (const button of all("[data-view]")) {
  button.addEventListener("click", () => {
    play(false);
    press(all("[data-view]"), button);
    view.number = Number(button.dataset.view);
    for (const one of all("[data-view-of]")) one.hidden = Number(one.dataset.viewOf) !== view.number;
    moveTo(view.percent, false);
  });
}

function compare() {
  const pair = document.getElementById("compare-pair")?.value || "0";
  const side = document.querySelector("[data-compare][aria-pressed=true]").dataset.compare;
  for (const one of all("[data-pair]")) one.hidden = one.dataset.pair !== pair || one.dataset.side !== side;
}
for (const button of all("[data-compare]")) {
  button.addEventListener("click", () => {
    press(all("[data-compare]"), button);
    compare();
  });
}
document.getElementById("compare-pair")?.addEventListener("change", compare);

for (const slider of all("[data-percent]")) slider.addEventListener("input", () => moveTo(Number(slider.value)));
for (const list of all("[data-stride]")) list.addEventListener("change", drawFigure);
for (const button of all("[data-play]")) {
  button.addEventListener("click", () => play(button.getAttribute("aria-pressed") !== "true"));
}
for (const link of all("[data-go]")) link.addEventListener("click", () => moveTo(Number(link.dataset.go)));

document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const busy = event.target.closest("input, select, textarea, [role=region], nav");
  if (!step || busy || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  moveTo(view.percent + step * (event.shiftKey ? 10 : 1));
});
document.addEventListener("keyup", (event) => {
  if (event.key === "Escape") document.body.classList.remove("oncur");
});

function engineer(on) {
  const button = document.getElementById("to-engineer");
  button.setAttribute("aria-pressed", String(on));
  document.getElementById("engineer").classList.toggle("open", on);
  document.getElementById("clinic").hidden = on;
}
document.getElementById("to-engineer").addEventListener("click", (event) => {
  engineer(event.currentTarget.getAttribute("aria-pressed") !== "true");
  window.scrollTo(0, 0);
});
function follow() {
  const place = document.getElementById(location.hash.slice(1));
  if (!place) return;
  engineer(Boolean(place.closest("#engineer")));
  place.scrollIntoView();
}
for (const link of all(".bar nav a, .skip")) link.addEventListener("click", () => engineer(false));
window.addEventListener("hashchange", follow);

// On paper: the sheets of the group shown, with the notices of all groups above them, then those of
// both sides of the comparison shown, with their loads even if closed.
const clinic = document.getElementById("clinic");
const above = all("#clinic > .of-all, #clinic > .since");
let closed = [];
window.addEventListener("beforeprint", () => {
  document.querySelector(".view:not([hidden]) .paper.top").after(...above);
  const pair = document.querySelector("[data-pair]:not([hidden])")?.dataset.pair;
  for (const one of all("[data-printed]")) if (one.dataset.pair === pair) one.hidden = false;
  closed = all(".loads").filter((one) => !one.open);
  for (const one of closed) one.open = true;
  const sheets = all("#clinic .paper.top").filter((one) => !one.closest("#clinic [hidden]"));
  sheets.forEach((one, i) => (one.lastElementChild.textContent = `${i + 1} of ${sheets.length}`));
});
window.addEventListener("afterprint", () => {
  clinic.querySelector(".view").before(...above);
  for (const one of closed) one.open = false;
  if (document.querySelector("[data-pair]")) compare();
});
document.getElementById("print").addEventListener("click", () => window.print());
document.getElementById("save-comments").addEventListener("click", () => {
  const text = document.getElementById("comments").value;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = "comments.txt";
  link.click();
  document.getElementById("comments-told").textContent = "Saved as comments.txt: keep it beside this page.";
});
document.getElementById("comments").addEventListener("input", (event) => {
  for (const one of all(".kept")) one.textContent = event.target.value;
});

// Lay out the rest of the page after the first screen has been painted.
function unfold() {
  document.documentElement.classList.remove("opening");
  document.body.dataset.ready = "yes";
}
moveTo(0, false);
if (location.hash) follow();
requestAnimationFrame(() => setTimeout(unfold));
setTimeout(unfold, 300);
