/* The moving figure, and its slider tied to the upright lines in the curves. */
const N_PER_MM = 1;
const VIEWS = {
  side: { eye: { x: 0.2, y: 0.25, z: 1.15 }, center: { x: 0, y: -0.02, z: 0 } },
  front: { eye: { x: 1.9, y: 0.3, z: 0.15 }, center: { x: 0, y: 0, z: 0 } },
  top: { eye: { x: 0, y: 1.5, z: 0.01 }, center: { x: 0, y: 0, z: 0 } },
};
const player = { trial: 0, playing: false, places: [], forces: [] };

async function unpackFigures() {
  for (const [trial, { figure }] of DATA.trials.entries()) {
    player.places[trial] = await expand(figure.places, 1, figure.frames);
    player.forces[trial] = {};
    for (const [side, packed] of Object.entries(figure.forces)) player.forces[trial][side] = await expand(packed, 1, figure.frames);
  }
}

const frames = (trial) => DATA.trials[trial].figure.frames;

/* Numbers from row to row of one frame; null where one is not known. */
function column(values, trial, first, count, frame) {
  const found = Array.from({ length: count }, (_, k) => values[(first + k) * frames(trial) + frame]);
  return found.every(Number.isFinite) ? found : null;
}

const point = (trial, frame, i) => column(player.places[trial], trial, 3 * i, 3, frame) || [null, null, null];

function line(places) {
  return { x: places.map((p) => p[0]), y: places.map((p) => p[1]), z: places.map((p) => p[2]) };
}

/* Place, mm, and force, N, of the ground on a foot; null where it is not known or there is none. */
function push(trial, frame, side) {
  const values = player.forces[trial][side];
  const six = values && column(values, trial, 0, 6, frame);
  return six && (six[3] || six[4] || six[5]) ? six : null;
}

function force(trial, frame, side) {
  const six = push(trial, frame, side);
  if (!six) return line([[null, null, null]]);
  return line([six.slice(0, 3), [0, 1, 2].map((k) => six[k] + six[3 + k] / N_PER_MM)]);
}

function newtons(trial, frame, side) {
  const six = push(trial, frame, side);
  return six ? Math.round(Math.hypot(six[3], six[4], six[5])) : 0;
}

function stickTraces(trial, frame) {
  const told = DATA.trials[trial].figure;
  const base = { type: "scatter3d", mode: "lines", hoverinfo: "skip", showlegend: false };
  const markers = told.points.slice(0, told.markers);
  const traces = [{ ...base, ...line(markers.map((_, i) => point(trial, frame, i))), mode: "markers", text: markers.map(plain), hoverinfo: "text", marker: { size: 3, color: "#8c8c8c" } }];
  const style = { pelvis: { color: "#1a1a1a", width: 5 }, left: { color: colour("left", 0), width: 7 }, right: { color: colour("right", 0), width: 7, dash: "dash" } };
  for (const [group, rows] of Object.entries(told.lines)) for (const row of rows) traces.push({ ...base, ...line(row.map((i) => point(trial, frame, i))), line: style[group] });
  for (const side of SIDES) traces.push({ ...base, ...force(trial, frame, side), mode: "lines+markers", marker: { size: [2, 5], symbol: "diamond", color: "#000" }, line: { color: "#000", width: 5 } });
  for (const plate of told.plates) traces.push({ ...base, ...line([...plate.corners, plate.corners[0]]), line: { color: "#595959", width: 3 } });
  return traces;
}

function box(trial) {
  const ends = [0, 1, 2].map(() => [Infinity, -Infinity]);
  const take = (xyz) => xyz.forEach((v, k) => { ends[k] = [Math.min(ends[k][0], v), Math.max(ends[k][1], v)]; });
  const count = DATA.trials[trial].figure.points.length;
  for (let f = 0; f < frames(trial); f += 5) for (let i = 0; i < count; i++) { const p = point(trial, f, i); if (p[0] !== null) take(p); }
  DATA.trials[trial].figure.plates.forEach((plate) => plate.corners.forEach(take));
  return ends.map(([a, b]) => (a < b ? [a - 80, b + 80] : [-1000, 1000]));
}

function stickLayout(trial) {
  const [x, y, z] = box(trial);
  const axis = (title, range) => ({ title: { text: title }, range, backgroundcolor: "#fff", gridcolor: "#e4e4e4", showspikes: false, nticks: 5, tickfont: { size: 10 } });
  const size = [x, y, z].map(([a, b]) => b - a), most = Math.max(...size);
  return { margin: { l: 0, r: 0, t: 0, b: 0 }, uirevision: "kept", scene: { uirevision: "kept", xaxis: axis("x forward (mm)", x), yaxis: axis("y up (mm)", y), zaxis: axis("z right (mm)", z),
    aspectmode: "manual", aspectratio: { x: 1.7 * size[0] / most, y: 1.7 * size[1] / most, z: 1.7 * size[2] / most },
    camera: { up: { x: 0, y: 1, z: 0 }, ...VIEWS.side } } };
}

const timeOf = (trial, frame) => DATA.trials[trial].figure.time_s + frame / DATA.trials[trial].figure.rate_hz;

/* Figure, words and upright lines of one frame. */
function showFrame() {
  const { trial } = player, frame = Number(byId("frame").value), told = DATA.trials[trial].figure, time = timeOf(trial, frame);
  Plotly.react("stick", stickTraces(trial, frame), player.layout, { displaylogo: false, responsive: true, modeBarButtonsToRemove: ["toImage"] });
  const words = [`frame ${told.first_frame + frame * told.step}, ${time.toFixed(3)} s`];
  for (const side of SIDES) {
    const cycle = cycles.find((c) => c.trial === trial && c.side === side && c.start_s <= time && time <= c.stop_s);
    document.body.classList.toggle(side + "-on", Boolean(cycle));
    if (!cycle) continue;
    const part = (time - cycle.start_s) / (cycle.stop_s - cycle.start_s);
    document.body.style.setProperty(`--${side}-at`, part);
    const size = newtons(trial, frame, side);
    words.push(`${side} cycle ${cycle.number}: ${(100 * part).toFixed(0)} %${size ? `, ${size} N` : ""}`);
  }
  byId("frame-told").textContent = words.join("; ");
}

function showTrial(trial) {
  player.trial = trial;
  player.layout = stickLayout(trial);
  byId("trial").value = String(trial);
  byId("frame").max = String(frames(trial) - 1);
  byId("frame").value = String(Math.min(Number(byId("frame").value), frames(trial) - 1));
  showFrame();
}

/* Show the upright lines from now on. */
const seek = () => document.body.classList.add("seeking");

/* Go to a moment of a cycle, in %. */
function goTo(cycle, percent) {
  if (!cycle) return;
  const told = DATA.trials[cycle.trial].figure;
  if (player.trial !== cycle.trial) showTrial(cycle.trial);
  const time = cycle.start_s + (percent / 100) * (cycle.stop_s - cycle.start_s);
  byId("frame").value = String(Math.round((time - told.time_s) * told.rate_hz));
  showFrame();
}

function play(now) {
  if (!player.playing) return;
  const { trial } = player, rate = DATA.trials[trial].figure.rate_hz, slider = byId("frame");
  const step = Math.max(1, Math.round(((now - player.last) / 1000) * rate * 0.5));
  player.last = now;
  slider.value = String((Number(slider.value) + step) % frames(trial));
  showFrame();
  requestAnimationFrame(play);
}

function makePlayer() {
  DATA.trials.forEach((trial, i) => byId("trial").append(element("option", { value: String(i) }, trial.name)));
  byId("trial").addEventListener("change", (event) => showTrial(Number(event.target.value)));
  byId("frame").addEventListener("input", () => { seek(); showFrame(); });
  byId("play").addEventListener("click", () => {
    seek();
    player.playing = !player.playing;
    byId("play").textContent = player.playing ? "Stop" : "Play";
    byId("play").setAttribute("aria-pressed", String(player.playing));
    player.last = performance.now();
    if (player.playing) requestAnimationFrame(play);
  });
  for (const button of document.querySelectorAll("[data-view]")) {
    button.addEventListener("click", () => Plotly.relayout("stick", { "scene.camera": { up: { x: 0, y: 1, z: 0 }, ...VIEWS[button.dataset.view] } }));
  }
  const first = cycles.find((cycle) => cycle.kinetic) || cycles[0];
  showTrial(first ? first.trial : 0);
  if (first) goTo(first, 12);
}
