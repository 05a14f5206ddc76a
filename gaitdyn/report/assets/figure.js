// The moving figure: lines of points in mm, forward, up and to the left; at true speed.
const FIGURES = new Map();
const UNKNOWN = -32768;
const FLOOR_Y = 236;
let playNumber = 0; // of the last start or stop; an animation with an older number ends

function unpackedIntegers(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Int16Array(bytes.buffer);
}

function figureOfTrial(trial) {
  const key = `${shown.view}-${trial}`;
  if (!FIGURES.has(key)) {
    const packed = DATA.views[shown.view].figures[trial];
    const unpackedForce = ([side, text]) => [side, unpackedIntegers(text)];
    const forces = Object.fromEntries(Object.entries(packed.forces).map(unpackedForce));
    const places = unpackedIntegers(packed.places);
    const highest = places.reduce((top, value, i) => (i % 3 === 1 && value > top ? value : top), 1);
    FIGURES.set(key, { ...packed, places, highest, forces });
  }
  return FIGURES.get(key);
}

function chosenStride() {
  const [trial, stride] = shownView().querySelector("[data-stride]").value.split("-").map(Number);
  const figure = figureOfTrial(trial);
  return { figure, stride: figure.strides[stride] };
}

function frameShown(figure, stride) {
  const time = stride.start_s + (shown.percent / 100) * (stride.stop_s - stride.start_s);
  const lastFrame = figure.places.length / (3 * figure.points) - 1;
  return Math.max(0, Math.min(lastFrame, Math.round((time - figure.start_s) * figure.rate_hz)));
}

function pathMarkup(name, data, width) {
  return `<path class="${name}"${width ? ` stroke-width="${width}"` : ""} d="${data}"/>`;
}

function forceAt(force, frame) {
  const [x, y, z, forward, up, left] = force.slice(6 * frame, 6 * frame + 6);
  const known = left !== undefined && ![x, y, z, forward, up, left].includes(UNKNOWN);
  return known && up >= 20 ? [[x, y, z], [x + forward, y + up, z + left]] : null;
}

function drawFigure() {
  const svg = shownView().querySelector(".figure");
  if (!svg) return;
  const { figure, stride } = chosenStride();
  const frame = frameShown(figure, stride);
  const pointAt = (i) => [0, 1, 2].map((axis) => figure.places[3 * (figure.points * frame + i) + axis]);
  const isKnown = (point) => point[0] !== UNKNOWN;
  const known = Object.values(figure.lines).flat(2).map(pointAt).filter(isKnown);
  if (!known.length) return svg.querySelector("g").replaceChildren();
  const middle = (axis) => {
    const values = known.map((point) => point[axis]);
    return (Math.min(...values) + Math.max(...values)) / 2;
  };
  const [middleForward, middleLeft] = [middle(0), middle(2)];
  const scale = Math.min(0.2, 214 / figure.highest); // legs alone, or a whole body
  const fromTheSide = (point) => 112 + scale * (point[0] - middleForward);
  const fromTheFront = (point) => 270 + scale * (point[2] - middleLeft);
  let markup = pathMarkup("hair", `M8 ${FLOOR_Y}H216M222 ${FLOOR_Y}H330`, 1);
  for (const across of [fromTheSide, fromTheFront]) {
    const place = (point) => `${across(point).toFixed(1)} ${(FLOOR_Y - scale * point[1]).toFixed(1)}`;
    for (const [side, lines] of Object.entries(figure.lines)) {
      for (const line of lines) {
        const points = line.map(pointAt);
        if (points.length < 2 || !points.every(isKnown)) continue;
        markup += pathMarkup(`bone ${side}`, `M${points.map(place).join("L")}`);
      }
    }
    for (const force of Object.values(figure.forces)) {
      const ends = forceAt(force, frame);
      if (ends) markup += pathMarkup("ink", `M${ends.map(place).join("L")}`, 2);
    }
  }
  svg.querySelector("g").innerHTML = markup;
}

function play(playing) {
  for (const button of elements("[data-play]")) {
    button.setAttribute("aria-pressed", String(playing));
    button.textContent = playing ? "Pause" : "Play";
  }
  playNumber += 1;
  if (!playing) return;
  const ownNumber = playNumber;
  let lastTime = null, percent = shown.percent;
  const drawNext = (time) => {
    if (ownNumber !== playNumber) return;
    const { stride } = chosenStride();
    if (lastTime !== null) percent = (percent + (time - lastTime) / (10 * (stride.stop_s - stride.start_s))) % 100;
    lastTime = time;
    moveCursor(percent);
    requestAnimationFrame(drawNext);
  };
  requestAnimationFrame(drawNext);
}
