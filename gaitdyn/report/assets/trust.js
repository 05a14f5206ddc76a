/* Terms of the moments and peaks by cut-off. */
const TERMS = DATA.trust.terms;
const CUTOFFS = DATA.trust.cutoffs;
const small = [];
const asked = { kind: "cause", plane: 0, mode: "matched" };
const HOVER = { bgcolor: "#fff", font: { color: "#1a1a1a", size: 11 } };
let termRows = new Float64Array(0);

const labelOf = (group) => (DATA.groups[group] ? `, ${DATA.groups[group]}` : "");

function makeSmall(grid, drawIt) {
  const caption = element("figcaption"), plot = element("div", { class: "plot" }), table = element("div", { class: "table", tabindex: "0", role: "region" });
  const details = element("details", {}, element("summary", {}, "numbers"), table);
  grid.append(element("figure", { class: "small" }, caption, plot, details));
  const one = { caption, plot, details, table, draw: () => { drawIt(one); if (details.open) one.fill(); } };
  details.addEventListener("toggle", () => details.open && one.fill());
  one.draw();
  scalable(plot);
  plot.on("plotly_afterplot", () => scalable(plot));
  small.push(one);
  return one;
}

function fillRows(one, name, heads, rows) {
  const row = (cells, kind) => element("tr", {}, ...cells.map((cell, i) => element(i && kind === "td" ? "td" : "th", { scope: kind === "th" ? "col" : "row" }, cell)));
  one.table.setAttribute("aria-label", `Numbers of ${name}`);
  one.table.replaceChildren(element("table", {}, element("thead", {}, row(heads, "th")), element("tbody", {}, ...rows.map((cells) => row(cells, "td")))));
}

const known = (x, digits) => (Number.isFinite(x) ? x.toFixed(digits) : "");

/* Parts of one moment in the present kind: name -> 101 values. */
function partsOf(index) {
  const first = index * TERMS.parts.length;
  return TERMS.kinds[asked.kind].map((word) => {
    const at = first + TERMS.parts.indexOf(word);
    return { word, values: Array.from(termRows.subarray(at * POINTS, (at + 1) * POINTS)) };
  });
}

/* Areas of stacked parts: those above zero upwards, those below downwards, a piece for each run of one sign. */
function stackedAreas(parts) {
  const up = new Float64Array(POINTS), down = new Float64Array(POINTS);
  return parts.flatMap(({ word, values }) => {
    const pieces = [];
    let run = null;
    values.forEach((value, i) => {
      const base = value > 0 ? up : down, low = base[i];
      base[i] += value;
      if (!run || run.sign !== value > 0) pieces.push((run = { sign: value > 0, x: [], low: [], high: [] }));
      run.x.push(i); run.low.push(low); run.high.push(base[i]);
    });
    return pieces.filter((p) => p.x.length > 1 && p.high.some((y, i) => y !== p.low[i])).map((p) => ({ ...area(p.x, p.low, p.high, TERMS.colours[word]), name: word }));
  });
}

function drawTerms(one, { joint, side, group }) {
  const index = TERMS.moments.findIndex((m) => m.joint === joint && m.side === side && m.group === group && m.plane === asked.plane);
  one.fill = () => {};
  if (index < 0) {
    one.caption.textContent = `${side} ${joint}${labelOf(group)}: no whole cycle`;
    Plotly.react(one.plot, [], { margin: { l: 44, r: 14, t: 8, b: 30 }, xaxis: { visible: false }, yaxis: { visible: false } }, CONFIG);
    return;
  }
  const told = TERMS.moments[index], parts = partsOf(index);
  const sum = PERCENT.map((i) => parts.reduce((total, { values }) => total + values[i], 0));
  const areas = stackedAreas(parts);
  const title = `${side[0].toUpperCase()}${side.slice(1)}: ${told.title}${labelOf(group)}`;
  one.caption.replaceChildren(title + " ", element("small", {}, `(${told.unit}; mean of ${told.count})`));
  const total = { x: PERCENT, y: sum, mode: "lines", type: "scatter", line: { color: "#1a1a1a", width: 2 }, name: told.column,
    customdata: PERCENT.map((i) => parts.map(({ values }) => values[i])),
    hovertemplate: `moment %{y:.3f} at %{x} %${parts.map(({ word }, k) => `<br>${word.replace("_", " ")} %{customdata[${k}]:.3f}`).join("")}<extra></extra>` };
  const all = [...areas.flatMap((a) => a.y), ...sum];
  const slack = 0.03 * (told.limits[1] - told.limits[0]);
  const range = [Math.min(told.limits[0], ...all) - slack, Math.max(told.limits[1], ...all) + slack];
  const word = (text, y, anchor) => ({ text, x: 0.01, y, xref: "paper", yref: "paper", showarrow: false, xanchor: "left", yanchor: anchor, font: { size: 10.5, color: GREY } });
  Plotly.react(one.plot, [...areas, total], {
    margin: { l: 44, r: 14, t: 8, b: 30 }, showlegend: false, hovermode: "x", hoverlabel: HOVER, font: { size: 11, color: "#1a1a1a" },
    xaxis: { range: [0, 100], tickvals: [0, 20, 40, 60, 80, 100], fixedrange: true, gridcolor: "#ececec", zeroline: false, title: { text: joint === "ankle" ? "% gait cycle" : "", standoff: 2, font: { size: 10.5 } } },
    yaxis: { range, nticks: 6, fixedrange: true, gridcolor: "#ececec", zerolinecolor: "#8c8c8c" },
    annotations: [word("\u2191 " + told.top, 1, "top"), word("\u2193 " + told.bottom, 0, "bottom")],
  }, CONFIG);
  one.fill = () => fillRows(one, title, ["%", "moment", ...parts.map((p) => p.word.replace("_", " "))],
    PERCENT.filter((i) => i % 2 === 0).map((i) => [String(i), known(sum[i], 3), ...parts.map((p) => known(p.values[i], 3))]));
}

function makeTerms() {
  const grid = byId("grid-terms");
  if (!TERMS || !grid) return;
  const sides = DATA.groups.flatMap((_, group) => SIDES.map((side) => ({ side, group }))).filter(({ side, group }) => TERMS.moments.some((m) => m.side === side && m.group === group));
  grid.style.gridTemplateColumns = `repeat(${sides.length}, 1fr)`;
  const made = ["hip", "knee", "ankle"].flatMap((joint) => sides.map((place) => makeSmall(grid, (one) => drawTerms(one, { joint, ...place }))));
  const tell = () => byId("terms-key").replaceChildren(...TERMS.kinds[asked.kind].map((word) => element("span", {}, element("i", { class: "swatch", style: `background: ${TERMS.colours[word]}` }), word.replace("_", " "))), element("span", {}, element("i", { class: "swatch line" }), "moment, their sum"));
  for (const [id, key] of [["terms-kind", "kind"], ["terms-plane", "plane"]]) {
    byId(id).value = String(asked[key]);
    byId(id).addEventListener("change", (event) => {
      asked[key] = key === "plane" ? Number(event.target.value) : event.target.value;
      made.forEach((one) => one.draw());
      tell();
      byId("told").textContent = `terms: ${event.target.selectedOptions[0].textContent}`;
    });
  }
  tell();
}

/* Upright lines: the cut-off of the run, and of what two methods advise. */
const MARKS = { markers: ["solid", "#1a1a1a"], forces: ["solid", "#1a1a1a"], residual_analysis: ["dash", "#117733"], generalised_cross_validation: ["dot", "#882255"] };

function cutoffShapes() {
  return Object.entries(CUTOFFS.marks).filter(([key]) => !(key === "forces" && asked.mode !== "forces") && !(key === "markers" && asked.mode === "forces"))
    .flatMap(([key, values]) => [...new Set(values.filter((x) => x !== null && x >= 4 && x <= 20))].map((x) => ({ type: "line", x0: x, x1: x, yref: "paper", y0: 0, y1: 1, line: { width: 1, dash: MARKS[key][0], color: MARKS[key][1] } })));
}

function drawCutoffs(one, told, last) {
  const lines = told.lines.filter((line) => line.mode === asked.mode);
  one.caption.textContent = told.title;
  one.plot.querySelector(".empty")?.remove();
  const traces = lines.map((line) => ({ x: line.hz, y: line.values, mode: "lines", type: "scatter", name: `${line.side}${labelOf(line.group)}`, line: { color: colour(line.side, line.group), dash: dash(line.side, line.group), width: 2 },
    hovertemplate: `${line.side}${plain(labelOf(line.group))}: %{y:.3f} at %{x} Hz<extra></extra>` }));
  const values = lines.flatMap((line) => line.values), low = Math.min(...values), high = Math.max(...values);
  const room = Math.max(0.15 * Math.max(Math.abs(low), Math.abs(high)), 0.1 * (high - low), 0.01);
  Plotly.react(one.plot, traces, {
    margin: { l: 44, r: 14, t: 8, b: 30 }, showlegend: false, hovermode: "closest", font: { size: 11, color: "#1a1a1a" },
    xaxis: { range: [4, 20], tickvals: [4, 8, 12, 16, 20], fixedrange: true, gridcolor: "#ececec", zeroline: false, title: { text: last ? "cut-off (Hz)" : "", standoff: 2, font: { size: 10.5 } } },
    yaxis: { range: values.length ? [low - room, high + room] : [0, 1], nticks: 6, fixedrange: true, gridcolor: "#ececec", zerolinecolor: "#8c8c8c" },
    shapes: cutoffShapes(),
  }, CONFIG);
  if (!lines.length) one.plot.append(element("div", { class: "empty" }, "no data: no cycle has this peak in these axes"));
  one.fill = () => fillRows(one, told.title, ["Hz", ...lines.map((line) => `${line.side}${labelOf(line.group)}`)], [...new Set(lines.flatMap((line) => line.hz))].map((hz) => [String(hz), ...lines.map((line) => known(line.values[line.hz.indexOf(hz)], 3))]));
}

function makeCutoffs() {
  const grid = byId("grid-cutoffs");
  if (!CUTOFFS || !grid) return;
  grid.style.gridTemplateColumns = "repeat(4, 1fr)";
  const made = CUTOFFS.panels.map((told, i) => makeSmall(grid, (one) => drawCutoffs(one, told, i >= CUTOFFS.panels.length - 4)));
  const words = (key) => [...new Set(CUTOFFS.marks[key].map((x) => (x === null ? "no answer" : `${x.toFixed(1)} Hz${x > 20 ? " (beyond the scale)" : ""}`)))].join(", ");
  byId("cutoff-told").textContent = `Left red and solid, right blue and dashed. Upright lines: solid the cut-off of the run (markers ${words("markers")}, forces ${words("forces")}), dashed residual analysis (${words("residual_analysis")}), dotted cross-validation (${words("generalised_cross_validation")}).`;
  byId("cutoff-mode").value = asked.mode;
  byId("cutoff-mode").addEventListener("change", (event) => {
    asked.mode = event.target.value;
    made.forEach((one) => one.draw());
    byId("told").textContent = `cut-offs: ${event.target.selectedOptions[0].textContent}`;
  });
}

async function unpackTrust() {
  if (BANDS) bandRows = await expand(BANDS.rows, BANDS.unit, POINTS);
  if (TERMS) termRows = await expand(TERMS.rows, TERMS.unit, POINTS);
}
