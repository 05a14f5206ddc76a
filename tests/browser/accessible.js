// What a page breaks of the rules for readers with a keyboard, a screen reader, little contrast.
() => {
  const all = (css) => [...document.querySelectorAll(css)].filter((e) => e.checkVisibility());
  const told = (e) => `${e.tagName}#${e.id}.${e.getAttribute("class") || ""}: ${e.textContent.trim().slice(0, 40)}`;
  const name = (e) => (e.getAttribute("aria-label") || e.textContent || "").trim()
    || [...(e.labels || [])].map((l) => l.textContent.trim()).join("");
  const found = [];
  const broken = (rule, elements) => found.push(...elements.map((e) => `${rule}: ${told(e)}`));
  broken("no name", all("button, a[href], input, select, textarea, summary").filter((e) => !name(e)));
  broken("picture without a name", all("svg[role=img]").filter((e) => !e.getAttribute("aria-label")));
  broken("picture seen by nobody or everybody", all("svg").filter((e) =>
    !e.hasAttribute("role") && !e.closest("[aria-hidden=true]") && e.getAttribute("aria-hidden") !== "true"));
  broken("table without a head", all("table").filter((t) => !t.querySelector("th[scope]")));
  broken("head without a scope", all("th").filter((h) => !h.hasAttribute("scope")));
  broken("scrolls, but not by the keyboard", all("*").filter((e) =>
    e.scrollWidth > e.clientWidth + 2 && /auto|scroll/.test(getComputedStyle(e).overflowX)
    && e.tabIndex < 0 && !e.querySelector("a, button, input")));
  const levels = all("h1, h2, h3, h4, h5, h6");
  broken("heading too deep", levels.filter((h, i) => i && h.tagName[1] - levels[i - 1].tagName[1] > 1));
  const twice = (keys) => keys.filter((k, i) => k && keys.indexOf(k) !== i);
  for (const id of twice([...document.querySelectorAll("[id]")].map((e) => e.id))) found.push(`id twice: ${id}`);
  for (const region of twice(all("[role=region], nav").map(name))) found.push(`landmark twice: ${region}`);
  if (all("main").length !== 1) found.push("not one main");

  const rgb = (text) => (text.match(/[\d.]+/g) || []).map(Number);
  const light = (c) => c.slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const colour = rgb(getComputedStyle(e).backgroundColor);
      if (colour.length === 3 || colour[3] > 0.99) return colour;
    }
    return [255, 255, 255];
  };
  const written = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
  for (const e of all("body *")) {
    const words = e.matches("svg text") ? e.closest(".panel, .card") !== null : !e.closest("svg") && written(e);
    if (!words || e.closest(".vh, .drawing, option, select")) continue;
    const style = getComputedStyle(e);
    const colour = rgb(e.matches("svg text") ? style.fill : style.color);
    const size = parseFloat(style.fontSize);
    const large = !e.matches("svg text") && (size >= 24 || (size >= 18.66 && style.fontWeight >= 600));
    const least = large ? 3 : 4.5;
    if (colour.length && ratio(colour, behind(e)) < least - 0.005)
      found.push(`contrast ${ratio(colour, behind(e)).toFixed(2)} below ${least}: ${told(e)}`);
  }
  return [...new Set(found)];
}
