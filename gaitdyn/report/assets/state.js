"use strict";
/* The numbers of the page, and what the controls ask for. */
const DATA = JSON.parse(document.getElementById("data").textContent);
const SIDES = ["left", "right"];
const POINTS = 101;
const GREY = "#595959";

async function inflated(text) {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* Rows of numbers from second differences of whole units, in four planes of bytes; NaN where a bit
   says that nothing is known. */
async function expand({ data, known }, unit, columns) {
  const planes = await inflated(data), bits = await inflated(known);
  const count = planes.length / 4, values = new Float64Array(count);
  for (let row = 0; row < count; row += columns) {
    let value = 0, step = 0;
    for (let i = row; i < row + columns; i++) {
      const found = planes[i] | (planes[count + i] << 8) | (planes[2 * count + i] << 16) | (planes[3 * count + i] << 24);
      if (i === row) value = found;
      else { step += found; value += step; }
      values[i] = (bits[i >> 3] >> (i & 7)) & 1 ? value * unit : NaN;
    }
  }
  return values;
}

/* Text of a file inside a figure: the drawing library reads tags and %{...} in it. */
function plain(text) {
  return String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/%/g, "&#37;");
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const byId = (id) => document.getElementById(id);

const cycles = DATA.cycles.map((cycle, index) => ({ ...cycle, index, shown: true }));
let rows = new Float64Array(0);

const state = {
  view: "cycles",
  convention: DATA.chosen.convention,
  axes: DATA.chosen.axes,
  units: "kg",
  norm: true,
  bands: true,
};

/* A panel's name, words, limits and sign under the present choice. */
function variant(panel) {
  if (panel.kind === "curve") return panel.any;
  return panel[(state.axes === "lab" ? "lab-" : "") + state.convention];
}

function factor(cycle, unit) {
  if (state.units === "kg" || unit === "deg") return 1;
  const hof = DATA.trials[cycle.trial].hof[cycle.side];
  return hof ? hof[unit] : NaN;
}

/* The 101 values of one cycle in one panel; an empty list where the cycle lacks the curve. */
function curve(cycle, panel) {
  const now = variant(panel);
  const moment = panel.kind === "moment";
  const names = moment ? DATA.trials[cycle.trial].moment_names[state.axes] : DATA.names;
  const first = moment ? cycle.moments[state.axes] : cycle.first;
  const at = names.indexOf(now.curve);
  if (at < 0 || first === undefined) return [];
  const scale = now.sign * factor(cycle, now.unit);
  return Array.from(rows.subarray((first + at) * POINTS, (first + at + 1) * POINTS), (x) => x * scale);
}

const shownCycles = () => cycles.filter((cycle) => cycle.shown);

/* Whether a curve is known from 0 to 100 %; one with gaps, whether any of it is. */
const isKnown = (values, gaps) => values.length > 0 && (gaps ? values.some(Number.isFinite) : values.every(Number.isFinite));

/* Mean and SD (n - 1) of the cycles that know a curve from 0 to 100 %; with gaps, of those that
   know any of it, where all of them do. */
function meanOf(curves, gaps = false) {
  const known = curves.filter((values) => isKnown(values, gaps));
  const mean = Array.from({ length: known.length ? POINTS : 0 }, (_, i) => known.reduce((sum, v) => sum + v[i], 0) / known.length);
  const sd = mean.map((m, i) => (known.length > 1 ? Math.sqrt(known.reduce((sum, v) => sum + (v[i] - m) ** 2, 0) / (known.length - 1)) : NaN));
  return { count: known.length, mean, sd };
}

/* The band of the reference: angles always, loads as the set has them: distal axes, per kg. */
function band(panel) {
  if (!DATA.norm || !state.norm) return null;
  const now = variant(panel);
  if (state.units === "hof" && now.unit !== "deg") return null;
  if (panel.kind === "moment" && state.axes !== "distal") return null;
  return DATA.norm.bands[now.curve] || null;
}
