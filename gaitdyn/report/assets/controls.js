// Buttons: sides, numbers, groups of trials, comparison, the engineer's part, comments.
function markPressed(buttons, isPressed) {
  for (const button of buttons) button.setAttribute("aria-pressed", String(isPressed(button)));
}

function onClick(selector, action) {
  for (const element of elements(selector)) element.addEventListener("click", () => action(element));
}

onClick("[data-show]", ({ dataset: { show } }) => {
  markPressed(elements("[data-show]"), (button) => button.dataset.show === show);
  document.body.classList.toggle("noL", show === "R");
  document.body.classList.toggle("noR", show === "L");
});

onClick("[data-numbers]", () => {
  const withNumbers = document.body.classList.toggle("numbers");
  markPressed(elements("[data-numbers]"), () => withNumbers);
  for (const table of elements(".panel .tb")) table.open = withNumbers;
});

onClick("[data-view]", (chosen) => {
  play(false);
  markPressed(elements("[data-view]"), (button) => button === chosen);
  shown.view = Number(chosen.dataset.view);
  for (const view of elements("[data-view-of]")) view.hidden = Number(view.dataset.viewOf) !== shown.view;
  moveCursor(shown.percent, false);
});

function showComparison() {
  const pairs = document.getElementById("compare-pair");
  const pair = pairs?.value || "0";
  if (pairs) document.getElementById("compare-named").textContent = pairs.selectedOptions[0].dataset.named;
  const side = document.querySelector("[data-compare][aria-pressed=true]").dataset.compare;
  for (const comparison of elements("[data-pair]")) {
    comparison.hidden = comparison.dataset.pair !== pair || comparison.dataset.side !== side;
  }
}
onClick("[data-compare]", (chosen) => {
  markPressed(elements("[data-compare]"), (button) => button === chosen);
  showComparison();
});
document.getElementById("compare-pair")?.addEventListener("change", showComparison);

for (const slider of elements("[data-percent]")) {
  slider.addEventListener("input", () => moveCursor(Number(slider.value)));
}
for (const list of elements("[data-stride]")) list.addEventListener("change", drawFigure);
onClick("[data-play]", (button) => play(button.getAttribute("aria-pressed") !== "true"));
onClick("[data-go]", (link) => moveCursor(Number(link.dataset.go)));

document.addEventListener("keydown", (event) => {
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const takesArrows = event.target.closest("input, select, textarea, [role=region], nav");
  if (!direction || takesArrows || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  moveCursor(shown.percent + direction * (event.shiftKey ? 10 : 1));
});
document.addEventListener("keyup", (event) => {
  if (event.key === "Escape") document.body.classList.remove("oncur");
});

const engineerButton = document.getElementById("to-engineer");
const clinic = document.getElementById("clinic");
function showEngineer(open) {
  engineerButton.setAttribute("aria-pressed", String(open));
  document.getElementById("engineer").classList.toggle("open", open);
  clinic.hidden = open;
}
engineerButton.addEventListener("click", () => {
  showEngineer(engineerButton.getAttribute("aria-pressed") !== "true");
  window.scrollTo(0, 0);
});
function showAddressed() {
  const target = document.getElementById(location.hash.slice(1));
  if (!target) return;
  showEngineer(Boolean(target.closest("#engineer")));
  target.scrollIntoView();
}
onClick(".bar nav a, .skip", () => showEngineer(false));
window.addEventListener("hashchange", showAddressed);

// On paper: the sheets of the group shown, with the notices of all groups above them, then those of
// both sides of the comparison shown, with their loads even if closed.
const sharedNotices = elements("#clinic > .of-all, #clinic > .since");
let openedForPaper = [];
window.addEventListener("beforeprint", () => {
  document.querySelector(".view:not([hidden]) .paper.top").after(...sharedNotices);
  const pair = document.querySelector("[data-pair]:not([hidden])")?.dataset.pair;
  for (const sheet of elements("[data-printed]")) if (sheet.dataset.pair === pair) sheet.hidden = false;
  openedForPaper = elements(".loads").filter((loads) => !loads.open);
  for (const loads of openedForPaper) loads.open = true;
  const heads = elements("#clinic .paper.top").filter((head) => !head.closest("#clinic [hidden]"));
  heads.forEach((head, i) => (head.lastElementChild.textContent = `${i + 1} of ${heads.length}`));
});
window.addEventListener("afterprint", () => {
  clinic.querySelector(".view").before(...sharedNotices);
  for (const loads of openedForPaper) loads.open = false;
  if (document.querySelector("[data-pair]")) showComparison();
});
document.getElementById("print").addEventListener("click", () => window.print());
const comments = document.getElementById("comments");
document.getElementById("save-comments").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([comments.value], { type: "text/plain" }));
  link.download = "comments.txt";
  link.click();
  document.getElementById("comments-told").textContent = "Saved as comments.txt: keep it beside this page.";
});
comments.addEventListener("input", () => {
  for (const copy of elements(".kept")) copy.textContent = comments.value;
});

// Lay out the rest of the page after the first screen has been painted.
function layOutRest() {
  document.documentElement.classList.remove("opening");
  document.body.dataset.ready = "yes";
}
moveCursor(0, false);
if (location.hash) showAddressed();
requestAnimationFrame(() => setTimeout(layOutRest));
setTimeout(layOutRest, 300);
