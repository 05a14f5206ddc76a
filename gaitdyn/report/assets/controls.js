/* The controls: each changes the state and draws the panels again. */
function drawAll(words) {
  panels.forEach(draw);
  tellBand();
  tellAreas();
  if (words) byId("told").textContent = words;
}

/* Say where a reference was given and cannot be shown. */
function tellBand() {
  const lost = DATA.norm && state.norm && (state.axes !== "distal" || state.units === "hof");
  for (const note of document.querySelectorAll(".band-note")) note.textContent = lost ? "The reference has no band in these axes or units." : "";
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
  const bands = byId("bands");
  bands.disabled = !BANDS;
  bands.checked = Boolean(BANDS);
  if (!BANDS) bands.title = "these results have none: gaitdyn process --uncertainty default";
  bands.addEventListener("change", () => { state.bands = bands.checked; drawAll(bands.checked ? "95 % bands shown" : "95 % bands hidden"); });
  makeCycleList();
  makeKey();
  tellBand();
  tellAreas();
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
    for (const key of document.querySelectorAll(".key[aria-hidden]")) key.append(element("span", {}, svg.cloneNode(true), `${side}${label ? " " + label : ""}`));
  }
}

/* Bars of the movement analysis profile, where a reference set was given. */
function makeProfile() {
  if (!DATA.profile || !byId("map-chart")) return;
  const traces = DATA.profile.series.map((s) => ({ type: "bar", x: DATA.profile.variables, y: s.values, name: plain(s.name),
    marker: { color: colour(s.side, s.group), pattern: { shape: [["", "/"], [".", "x"]][Math.min(s.group, 1)][s.side === "right" ? 1 : 0], fillmode: "replace", bgcolor: "#fff", fgcolor: colour(s.side, s.group), size: 6, solidity: 0.55 }, line: { color: colour(s.side, s.group), width: 1.2 } },
    error_y: { type: "data", array: DATA.profile.variables.map((name) => (name === "GPS" ? DATA.profile.mcid : null)), thickness: 1.2, width: 5, color: "#1a1a1a" },
    hovertemplate: `${plain(s.name)}: %{y:.1f} deg<extra></extra>` }));
  Plotly.newPlot("map-chart", traces, { margin: { l: 50, r: 10, t: 10, b: 80 }, barmode: "group", font: { size: 11.5 }, yaxis: { title: { text: "deg" }, rangemode: "tozero" }, legend: { orientation: "h", y: 1.12 } }, CONFIG);
}

/* On paper: the box that page.css gives a panel on A4 across, so that words keep their size. */
window.addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("#parameters details:not([open]), #sweep details:not([open])")) {
    if (folded.querySelector(".definitions") || folded.closest("#sweep")) { folded.open = true; folded.dataset.opened = "print"; }
  }
  for (const { plot } of [...panels, ...small]) {
    const columns = Number(plot.closest(".grid").style.gridTemplateColumns.match(/\d+/)[0]);
    Plotly.relayout(plot, { width: (1032 - 15 * (columns - 1)) / columns, height: 113 });
  }
});
window.addEventListener("afterprint", () => {
  for (const folded of document.querySelectorAll("[data-opened=print]")) { folded.open = false; delete folded.dataset.opened; }
  [...panels, ...small].forEach(({ plot }) => Plotly.relayout(plot, { width: null, height: null, autosize: true }));
});

async function start() {
  if (DATA.curves) rows = await expand(DATA.curves, DATA.unit, POINTS);
  await unpackTrust();
  await unpackFigures();
  makeControls();
  makeGrids();
  makeProfile();
  makeTerms();
  makeCutoffs();
  makePlayer();
  document.body.dataset.ready = "yes";
}

if (window.DecompressionStream) start();
else byId("key-note").textContent = "This browser is too old to draw the curves: it needs one of 2023 or later. The tables are whole.";
