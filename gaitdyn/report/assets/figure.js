// The moving figure: lines of points in mm, forward, up and to the left; at true speed.
const FIGURE = { unpacked: new Map(), playing: 0 };
const UNKNOWN = -32768;

function whole(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Int16Array(bytes.buffer);
}

function figureOf(number) {
  const key = `${view.number}-${number}`;
  if (!FIGURE.unpacked.has(key)) {
    const raw = DATA.views[view.number].figures[number];
    const forces = Object.fromEntries(Object.entries(raw.f).map(([side, text]) => [side, whole(text)]));
    const places = whole(raw.p);
    const highest = places.reduce((top, up, k) => (k % 3 === 1 && up > top ? up : top), 1);
    FIGURE.unpacked.set(key, { ...raw, places, highest, forces });
  }
  return FIGURE.unpacked.get(key);
}

function chosenStride() {
  const [trial, stride] = root().querySelector("[data-stride]").value.split("-").map(Number);
  const figure = figureOf(trial);
  return { figure, stride: figure.strides[stride] };
}

function frameAt(figure, stride) {
  const time = stride.a + (view.percent / 100) * (stride.b - stride.a);
  const last = figure.places.length / (3 * figure.n) - 1;
  return Math.max(0, Math.min(last, Math.round((time - figure.t) * figure.hz)));
}

function drawFigure() {
  const svg = root().querySelector(".figure");
  if (!svg) return;
  const { figure, stride } = chosenStride();
  const frame = frameAt(figure, stride);
  const at = (i) => [0, 1, 2].map((k) => figure.places[3 * (figure.n * frame + i) + k]);
  const known = Object.values(figure.lines).flat(2).map(at).filter((p) => p[0] !== UNKNOWN);
  if (!known.length) return svg.querySelector("g").replaceChildren();
  const middle = (k) => (Math.min(...known.map((p) => p[k])) + Math.max(...known.map((p) => p[k]))) / 2;
  const centre = [middle(0), 0, middle(2)], floor = 236;
  const scale = Math.min(0.2, 214 / figure.highest); // legs alone, or a whole body
  const views = [[112, (p) => p[0] - centre[0]], [270, (p) => p[2] - centre[2]]];
  const place = ([x0, across], p) => `${(x0 + scale * across(p)).toFixed(1)} ${(floor - scale * p[1]).toFixed(1)}`;
  const path = (name, d, width) => `<path class="${name}"${width ? ` stroke-width="${width}"` : ""} d="${d}"/>`;
  let drawn = path("hair", `M8 ${floor}H216M222 ${floor}H330`, 1);
  for (const one of views) {
    for (const [side, rows] of Object.entries(figure.lines)) {
      for (const row of rows) {
        const points = row.map(at);
        if (points.length < 2 || points.some((p) => p[0] === UNKNOWN)) continue;
        drawn += path(`bone ${side}`, `M${points.map((p) => place(one, p)).join("L")}`);
      }
    }
    for (const force of Object.values(figure.forces)) {
      const f = [...force.slice(6 * frame, 6 * frame + 6)];
      if (f.length < 6 || f.includes(UNKNOWN) || f[4] < 20) continue;
      const tip = [f[0] + f[3], f[1] + f[4], f[2] + f[5]];
      drawn += path("ink", `M${place(one, f)}L${place(one, tip)}`, 2);
    }
  }
  svg.querySelector("g").innerHTML = drawn;
}

function play(on) {
  for (const button of all("[data-play]")) {
    button.setAttribute("aria-pressed", String(on));
    button.textContent = on ? "Pause" : "Play";
  }
  const own = ++FIGURE.playing;
  if (!on) return;
  let last = null, exact = view.percent;
  const step = (now) => {
    if (own !== FIGURE.playing) return;
    const { stride } = chosenStride();
    if (last !== null) exact = (exact + (now - last) / (10 * (stride.b - stride.a))) % 100;
    last = now;
    moveTo(exact);
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
