/* The controls: each changes the state and draws the panels again. */
function drawAll(words) {
  panels.forEach(draw);
  if (words) byId("told").textContent = words;
}

function makeControls() {
  for (const name of ["view", "convention", "axes", "units"]) {
    byId(name).value = state[name];
    byId(name).addEventListener("change", (event) => {
      state[name] = event.target.value;
      drawAll(`${name}: ${event.target.selectedOptions[0].textContent}`);
    });
  }
  if (!DATA.trials.some((trial) => Object.keys(trial.hof).length)) {
    byId("units").disabled = true;
    byId("units").title = "the leg lengths are not known";
  }
  const norm = byId("norm");
  norm.disabled = !DATA.norm;
  norm.checked = Boolean(DATA.norm);
  norm.addEventListener("change", () => { state.norm = norm.checked; drawAll(norm.checked ? "reference shown" : "reference hidden"); });
  makeCycleList();
  makeKey();
}

function makeCycleList() {
  const list = byId("cycles");
  for (const cycle of cycles) {
    const box = element("input", { type: "checkbox", "data-cycle": String(cycle.index) });
    box.checked = true;
    box.addEventListener("change", () => { cycle.shown = box.checked; drawAll(`${cycle.side} cycle ${cycle.number} ${box.checked ? "shown" : "hidden"}`); });
    const group = DATA.groups[cycle.group];
    const words = ` ${group ? group + ", " : ""}${DATA.trials[cycle.trial].name}: ${cycle.side} ${cycle.number}${cycle.kinetic ? "" : " (no full kinetics)"}`;
    list.append(element("label", {}, box, words));
  }
  if (!cycles.length) list.append("no complete gait cycle");
}

function makeKey() {
  const dashes = { solid: "", dash: "7 4", dot: "2 3", dashdot: "7 3 2 3" };
  for (const [group, label] of DATA.groups.entries()) for (const side of SIDES) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("width", "34"); svg.setAttribute("height", "8");
    const stroke = document.createElementNS("http://www.w3.org/2000/svg", "line");
    for (const [key, value] of Object.entries({ x1: 0, x2: 34, y1: 4, y2: 4, stroke: colour(side, group), "stroke-width": 2.4, "stroke-dasharray": dashes[dash(side, group)] })) stroke.setAttribute(key, value);
    svg.append(stroke);
    byId("key").append(element("span", {}, svg, `${side}${label ? " " + label : ""}`));
  }
}

/* Bars of the movement analysis profile, where a reference set was given. */
function makeProfile() {
  if (!DATA.profile || !byId("map-chart")) return;
  const traces = DATA.profile.series.map((s) => ({ type: "bar", x: DATA.profile.variables, y: s.values, name: plain(s.name),
    marker: { color: colour(s.side, s.group), pattern: { shape: s.side === "right" ? "/" : "", fillmode: "replace", bgcolor: "#fff", fgcolor: colour(s.side, s.group), size: 6, solidity: 0.55 }, line: { color: colour(s.side, s.group), width: 1.2 } },
    error_y: { type: "data", array: DATA.profile.variables.map((name) => (name === "GPS" ? DATA.profile.mcid : 0)), thickness: 1.2, width: 5, color: "#1a1a1a" },
    hovertemplate: `${plain(s.name)}: %{y:.1f} deg<extra></extra>` }));
  Plotly.newPlot("map-chart", traces, { margin: { l: 50, r: 10, t: 10, b: 80 }, barmode: "group", font: { size: 11.5 }, yaxis: { title: { text: "deg" }, rangemode: "tozero" }, legend: { orientation: "h", y: 1.12 } }, CONFIG);
}

makeControls();
makeGrids();
makeProfile();
makePlayer();
/* On paper: the size that page.css gives a panel, on a page of A4 across, before it is laid out. */
const PAPER = { wide: 1030, gap: 16, panel: 124, stick: 453 };

function toPaper() {
  for (const { plot } of panels) {
    const columns = plot.closest(".grid").style.gridTemplateColumns.match(/\d+/)[0];
    Plotly.relayout(plot, { width: (PAPER.wide - PAPER.gap * (columns - 1)) / columns, height: PAPER.panel });
  }
  Plotly.relayout("stick", { width: PAPER.wide, height: PAPER.stick });
  if (DATA.profile) Plotly.relayout("map-chart", { width: PAPER.wide, height: 336 });
}

function toScreen() {
  for (const plot of document.querySelectorAll(".js-plotly-plot")) Plotly.relayout(plot, { width: null, height: null, autosize: true });
}

window.addEventListener("beforeprint", toPaper);
window.addEventListener("afterprint", toScreen);
document.body.dataset.ready = "yes";
