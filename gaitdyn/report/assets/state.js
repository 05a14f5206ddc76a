"use strict";
/* The numbers of the page, and what the controls ask for. */
const DATA = JSON.parse(document.getElementById("data").textContent);
const SIDES = ["left", "right"];
const POINTS = 101;
const GREY = "#595959";

function bytes(text) {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
}
const floats = (text) => new Float32Array(bytes(text));
const whole = (text) => new Int16Array(bytes(text));

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

const cycles = DATA.cycles.map((cycle, index) => ({
  ...cycle,
  index,
  shown: true,
  unpacked: floats(cycle.curves),
  moments: Object.fromEntries(Object.entries(cycle.moments).map(([axes, text]) => [axes, floats(text)])),
}));

const state = {
  view: "cycles",
  convention: DATA.chosen.convention,
  axes: DATA.chosen.axes,
  units: "kg",
  norm: true,
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
  const source = moment ? cycle.moments[state.axes] : cycle.unpacked;
  const at = names.indexOf(now.curve);
  if (at < 0 || !source) return [];
  const scale = now.sign * factor(cycle, now.unit);
  return Array.from(source.subarray(at * POINTS, (at + 1) * POINTS), (x) => x * scale);
}

const shownCycles = () => cycles.filter((cycle) => cycle.shown);

/* Mean and SD (n - 1) of the cycles that know a curve from 0 to 100 %; with gaps, of those that
   know any of it, where all of them do. */
function meanOf(curves, gaps = false) {
  const known = curves.filter((values) => values.length && (gaps ? values.some(Number.isFinite) : values.every(Number.isFinite)));
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
