/* Panels: every cycle or means, bands, foot-off lines, fixed limits, the table behind a panel. */
const PERCENT = Array.from({ length: POINTS }, (_, i) => i);
const DASH = [{ left: "solid", right: "dash" }, { left: "dot", right: "dashdot" }];
const CONFIG = { displayModeBar: false, responsive: true };
const panels = [];

const colour = (side, group) => DATA.colours[Math.min(group, 1)][side];
const dash = (side, group) => DASH[Math.min(group, 1)][side];
const rgba = (hex, alpha) => `rgba(${[1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)).join(",")},${alpha})`;

function area(x, low, high, fill) {
  return { x: [...x, ...[...x].reverse()], y: [...high, ...[...low].reverse()], fill: "toself", fillcolor: fill, line: { width: 0 }, mode: "lines", hoverinfo: "skip", type: "scatter" };
}

function bandTraces(panel) {
  const found = band(panel);
  if (!found) return [];
  const at = (k) => found.mean.map((m, i) => m + k * found.sd[i]);
  return [area(found.percent, at(-2), at(2), "rgba(120,120,120,0.16)"), area(found.percent, at(-1), at(1), "rgba(120,120,120,0.26)")];
}

/* Loads of a cycle without full kinetics are drawn pale. */
const doubtful = (cycle, panel) => !cycle.kinetic && variant(panel).unit !== "deg";

function cycleTraces(panel) {
  return shownCycles().flatMap((cycle) => {
    const y = curve(cycle, panel);
    if (!y.some(Number.isFinite)) return [];
    const name = `${cycle.side} ${cycle.number}${doubtful(cycle, panel) ? " (not of a whole step)" : ""}, ${plain(DATA.trials[cycle.trial].name)}`;
    return [{ x: PERCENT, y, mode: "lines", type: "scatter", connectgaps: false, customdata: PERCENT.map(() => cycle.index),
      line: { color: colour(cycle.side, cycle.group), dash: dash(cycle.side, cycle.group), width: cycle.representative && !doubtful(cycle, panel) ? 2.4 : 1.1 }, opacity: doubtful(cycle, panel) ? 0.45 : 1,
      hovertemplate: `${name}: %{y:.3g} at %{x} %<extra></extra>` }];
  });
}

function groupsOf() {
  return DATA.groups.flatMap((label, group) => SIDES.map((side) => ({ label, group, side, cycles: shownCycles().filter((c) => c.group === group && c.side === side) })));
}

/* The cycles that a mean is of: known from 0 to 100 %, loads of whole steps alone. */
const gapped = (panel) => variant(panel).curve === "free_moment";
const usedCycles = (own, panel) => own.filter((cycle) => !doubtful(cycle, panel) && isKnown(curve(cycle, panel), gapped(panel)));

function groupMean(own, panel) {
  return meanOf(usedCycles(own, panel).map((cycle) => curve(cycle, panel)), gapped(panel));
}

function meanTraces(panel) {
  return groupsOf().flatMap(({ group, side, label, cycles: own }) => {
    const { count, mean, sd } = groupMean(own, panel);
    if (!count) return [];
    const line = { x: PERCENT, y: mean, mode: "lines", type: "scatter", line: { color: colour(side, group), dash: dash(side, group), width: 2.2 },
      hovertemplate: `${side} ${plain(label)} mean of ${count}: %{y:.3g} at %{x} %<extra></extra>` };
    if (count < 2) return [line];
    return [area(PERCENT, mean.map((m, i) => m - sd[i]), mean.map((m, i) => m + sd[i]), rgba(colour(side, group), 0.16)), line];
  });
}

function footOffs(panel) {
  return groupsOf().flatMap(({ group, side, cycles: own }) => {
    const offs = own.filter((c) => c.foot_off !== null && !doubtful(c, panel) && curve(c, panel).some(Number.isFinite)).map((c) => c.foot_off);
    if (!offs.length) return [];
    const x = offs.reduce((a, b) => a + b, 0) / offs.length;
    return [{ type: "line", x0: x, x1: x, yref: "paper", y0: 0, y1: 1, line: { color: colour(side, group), width: 1, dash: dash(side, group) } }];
  });
}

/* Fixed limits in the present unit; non-dimensional ones stand for a leg of 0.9 m. */
function limits(panel) {
  const now = variant(panel);
  if (state.units === "kg" || now.unit === "deg") return now.limits;
  const g = 9.80665;
  const by = { "N m/kg": 1 / (g * 0.9), "N/kg": 1 / g, "W/kg": 1 / (g ** 1.5 * 0.9 ** 0.5) }[now.unit];
  return now.limits.map((x) => Number((x * by).toPrecision(2)));
}

function widened(fixed, traces) {
  const known = traces.flatMap((t) => (t.hoverinfo === "skip" ? [] : t.y.filter(Number.isFinite)));
  const slack = 0.03 * (fixed[1] - fixed[0]);
  const low = Math.min(...known, Infinity), high = Math.max(...known, -Infinity);
  const range = [low < fixed[0] - slack ? low - slack : fixed[0], high > fixed[1] + slack ? high + slack : fixed[1]];
  return { range: [range[0] - slack, range[1] + slack], moved: range[0] !== fixed[0] || range[1] !== fixed[1] };
}

const unitWords = (unit) => (state.units === "kg" || unit === "deg" ? unit : "non-dimensional");

function draw(panel) {
  const now = variant(panel.told);
  const lines = state.view === "mean" ? meanTraces(panel.told) : cycleTraces(panel.told);
  const fixed = limits(panel.told);
  const margins = state.view === "mean" ? bandOfMeans(panel.told) : bandOfCycles(panel.told);
  const { range, moved } = widened(fixed, [...lines, ...margins.map((t) => ({ y: t.y }))]);
  panel.caption.replaceChildren(now.title + " ", element("small", {}, `(${unitWords(now.unit)})`));
  if (moved) panel.caption.append(" ", element("small", { class: "moved" }, "axis extended"));
  panel.plot.querySelector(".empty")?.remove();
  const word = (text, y, anchor) => ({ text, x: 0.01, y, xref: "paper", yref: "paper", showarrow: false, xanchor: "left", yanchor: anchor, font: { size: 10.5, color: GREY } });
  const edges = moved ? fixed.filter((y) => y > range[0] && y < range[1]).map((y) => ({ type: "line", xref: "paper", x0: 0, x1: 1, y0: y, y1: y, line: { color: "#8a4b00", width: 1, dash: "dot" } })) : [];
  Plotly.react(panel.plot, [...bandTraces(panel.told), ...margins, ...lines], {
    margin: { l: 44, r: 14, t: 8, b: 30 }, showlegend: false, hovermode: "closest", font: { size: 11, color: "#1a1a1a" },
    xaxis: { range: [0, 100], tickvals: [0, 20, 40, 60, 80, 100], fixedrange: true, gridcolor: "#ececec", zeroline: false, title: { text: panel.last ? "% gait cycle" : "", standoff: 2, font: { size: 10.5 } } },
    yaxis: { range, nticks: 6, fixedrange: true, gridcolor: "#ececec", zerolinecolor: "#8c8c8c" },
    shapes: [...footOffs(panel.told), ...edges],
    annotations: [word("\u2191 " + now.top, 1, "top"), word("\u2193 " + now.bottom, 0, "bottom")],
  }, CONFIG);
  if (!lines.length) panel.plot.append(element("div", { class: "empty" }, "no data: " + (state.units === "hof" && now.unit !== "deg" && cycles.length ? "the leg length is not known, or no cycle has this curve" : "no cycle that is shown has this curve" + (state.view === "mean" ? " from 0 to 100 %" : ""))));
  if (panel.details.open) fillTable(panel);
}

function fillTable(panel) {
  const found = groupsOf().map((g) => ({ ...g, ...groupMean(g.cycles, panel.told), half: meanHalf(usedCycles(g.cycles, panel.told), panel.told) })).filter((g) => g.count);
  const reference = band(panel.told);
  const head = element("tr", {}, element("th", { scope: "col" }, "%"));
  for (const g of found) head.append(element("th", { scope: "col" }, `${g.side} ${g.label} mean (n ${g.count})`), element("th", { scope: "col" }, "SD"), ...(g.half ? [element("th", { scope: "col" }, "95 % \u00b1")] : []));
  if (reference) head.append(element("th", { scope: "col" }, "reference"), element("th", { scope: "col" }, "SD"));
  const body = element("tbody");
  const shown = (x) => (Number.isFinite(x) ? x.toFixed(3) : "");
  for (let i = 0; i < POINTS; i += 2) {
    const row = element("tr", {}, element("th", { scope: "row" }, String(i)));
    for (const g of found) row.append(element("td", {}, shown(g.mean[i])), element("td", {}, shown(g.sd[i])), ...(g.half ? [element("td", {}, shown(g.half[i]))] : []));
    if (reference) {
      const at = reference.percent.findIndex((p) => Math.abs(p - i) < 0.01);
      row.append(element("td", {}, shown(reference.mean[at])), element("td", {}, shown(reference.sd[at])));
    }
    body.append(row);
  }
  panel.table.setAttribute("aria-label", `Numbers of ${variant(panel.told).title}`);
  panel.table.replaceChildren(element("table", {}, element("thead", {}, head), body));
}

/* Drawings that follow their box on paper, whose width is not known while they are drawn. */
function scalable(plot) {
  for (const svg of plot.querySelectorAll(".main-svg")) svg.setAttribute("viewBox", `0 0 ${svg.getAttribute("width")} ${svg.getAttribute("height")}`);
}

function makePanel(told, grid, last) {
  const caption = element("figcaption"), plot = element("div", { class: "plot" }), table = element("div", { class: "table", tabindex: "0", role: "region" });
  const details = element("details", {}, element("summary", {}, "numbers"), table);
  plot.append(element("div", { class: "cursor left" }), element("div", { class: "cursor right" }));
  const figure = element("figure", { class: "panel" }, caption, plot, details);
  grid.append(figure);
  const panel = { told, caption, plot, details, table, last };
  details.addEventListener("toggle", () => details.open && fillTable(panel));
  draw(panel);
  scalable(plot);
  plot.on("plotly_afterplot", () => scalable(plot));
  plot.on("plotly_click", (event) => { seek(); goTo(cycles[event.points[0].customdata], event.points[0].x); });
  panels.push(panel);
}

function makeGrids() {
  for (const [name, rows] of Object.entries(DATA.grids)) {
    const grid = byId("grid-" + name);
    if (!grid) continue;
    grid.style.gridTemplateColumns = `repeat(${Math.max(...rows.map((row) => row.length))}, 1fr)`;
    rows.forEach((row, i) => row.forEach((told) => makePanel(told, grid, i === rows.length - 1)));
  }
}
