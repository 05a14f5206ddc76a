/* 95 % bands of moments and powers: hatched, so that nobody takes them for a spread or a reference. */
const BANDS = DATA.trust.bands;
let bandRows = new Float64Array(0);

/* Half the width of the band of one cycle in one panel; null where there is none in these axes. */
function halfWidth(cycle, panel) {
  const first = BANDS ? BANDS.first[cycle.index] : null;
  if (first === null || !state.bands) return null;
  if (panel.kind === "moment" && BANDS.axes[cycle.trial] !== state.axes) return null;
  const now = variant(panel), at = BANDS.names.indexOf(now.curve);
  if (at < 0) return null;
  const scale = factor(cycle, now.unit);
  const half = Array.from(bandRows.subarray((first + at) * POINTS, (first + at + 1) * POINTS), (x) => x * scale);
  return half.some(Number.isFinite) ? half : null;
}

/* The cycle about which a band is drawn: the representative one, else the first that has one. */
function bandedCycle(own, panel) {
  const there = own.filter((cycle) => cycle.kinetic && halfWidth(cycle, panel));
  return there.find((cycle) => cycle.representative) || there[0];
}

/* The band of a mean: mean half-width of its cycles, where each of them has one. */
function meanHalf(used, panel) {
  const halves = used.map((cycle) => halfWidth(cycle, panel));
  if (!halves.length || halves.some((half) => !half)) return null;
  return PERCENT.map((i) => halves.reduce((sum, half) => sum + half[i], 0) / halves.length);
}

/* Hatched areas about a curve, one for each run of known values. */
function hatched(y, half, side, group, name) {
  const traces = [];
  let run = [];
  for (let i = 0; i <= POINTS; i++) {
    if (i < POINTS && Number.isFinite(y[i]) && Number.isFinite(half[i])) { run.push(i); continue; }
    if (run.length > 1) traces.push({ ...area(run, run.map((k) => y[k] - half[k]), run.map((k) => y[k] + half[k]), rgba(colour(side, group), 0.9)), name,
      fillpattern: { shape: side === "left" ? "/" : "\\", fillmode: "replace", bgcolor: "rgba(255,255,255,0)", fgcolor: rgba(colour(side, group), 0.55), size: 5, solidity: 0.22 },
      line: { width: 0.6, color: rgba(colour(side, group), 0.6) } });
    run = [];
  }
  return traces;
}

function bandOfCycles(panel) {
  return groupsOf().flatMap(({ group, side, cycles: own }) => {
    const cycle = bandedCycle(own, panel);
    return cycle ? hatched(curve(cycle, panel), halfWidth(cycle, panel), side, group, `95 % band, ${side} ${cycle.number}`) : [];
  });
}

function bandOfMeans(panel) {
  return groupsOf().flatMap(({ group, side, cycles: own }) => {
    const used = usedCycles(own, panel), half = meanHalf(used, panel);
    return half ? hatched(groupMean(own, panel).mean, half, side, group, `95 % band, ${side} mean`) : [];
  });
}

/* What the areas in the panels of the kinetics are. */
function tellAreas() {
  const legend = byId("band-legend");
  if (!legend) return;
  const item = (kind, words) => element("span", {}, element("i", { class: "swatch " + kind }), words);
  const about = state.view === "mean" ? "about the mean; mean half-width of its cycles" : "about one cycle a side, the heavy line where there is one";
  const items = [];
  if (BANDS && state.bands) items.push(item("hatch", `hatched: 95 % band by the stated input errors, ${about}`));
  if (items.length && state.view === "mean") items.push(item("tint", "tint: one SD of the cycles"));
  if (items.length && DATA.norm && state.norm) items.push(item("grey", "grey: reference, 1 and 2 SD"));
  if (items.length && BANDS.axes.some((axes) => axes !== state.axes)) items.push(`Moments have their bands in the axes of the results (${[...new Set(BANDS.axes)].join(", ")}).`);
  legend.replaceChildren(...items);
}
