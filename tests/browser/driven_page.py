"""One open report: what went wrong on it, and what its panels show."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray
    from playwright.sync_api import Browser, Page, Route

_WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (e) =>
  window.violations.push(`${e.violatedDirective}: ${e.blockedURI}`));
"""
_SNAPSHOT = """
() => [...document.querySelectorAll(".view:not([hidden]) .panel[data-n]")].map((panel) => ({
  name: panel.dataset.n,
  title: panel.querySelector("h3").textContent,
  told: ["L", "R"].map((side) => panel.querySelector(`.rd .${side}c`).textContent),
  paths: [...panel.querySelectorAll("svg path")].map((p) =>
    [p.getAttribute("class"), p.getAttribute("d")]),
  words: [...panel.querySelectorAll("svg text")].map((t) => [t.textContent, t.getAttribute("class"),
    Number(t.getAttribute("x")), Number(t.getAttribute("y"))]),
  rows: [...panel.querySelectorAll("tr")].map((row) => [...row.cells].map((c) => c.textContent)),
}))
"""
_RESET = """() => {
  for (const name of ["noL", "noR", "numbers", "oncur"]) document.body.classList.remove(name);
  document.querySelector('[data-show="B"]')?.click();
  for (const details of document.querySelectorAll("details")) details.open = false;
  for (const button of document.querySelectorAll("[data-numbers]"))
    button.setAttribute("aria-pressed", "false");
  const engineer = document.getElementById("to-engineer");
  if (engineer.getAttribute("aria-pressed") === "true") engineer.click();
  const play = document.querySelector("[data-play]");
  if (play?.getAttribute("aria-pressed") === "true") play.click();
}"""


@dataclass
class Shown:
    """A panel as it is drawn."""

    name: str
    title: str
    told: list[str]
    paths: list[tuple[str, str]]
    words: list[tuple[str, str, float, float]]
    rows: list[list[str]]

    @property
    def bands(self) -> int:
        """How many areas of the reference there are."""
        return sum(kind in ("n1f", "n2f") for kind, _ in self.paths)

    def lines(self, side: str, kind: str) -> list[NDArray[np.float64]]:
        """Return the points of the lines of a side and a kind, tenths of a unit, shape (k, 2)."""
        found = [d for c, d in self.paths if c.split()[0] == side and c.split()[-1] == kind]
        return [points for d in found for points in points_of(d)]

    def values(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the numbers of some points by the labels of the upright axis."""
        ticks = [
            (float(text.replace("\u2212", "-")), y - 32.0)
            for text, kind, x, y in self.words
            if kind == "mutt" and x == 200 and re.fullmatch(r"[\u2212.\d]+", text)
        ]
        (low, y0), (high, y1) = ticks[0], ticks[-1]
        return low + (points[:, 1] - y0) / (y1 - y0) * (high - low)


def points_of(data: str) -> list[NDArray[np.float64]]:
    """Return the places of every part of a path, absolute."""
    found = []
    for part in re.findall(r"M[^M]+", data):
        numbers = [float(x) for x in re.findall(r"-?\d+(?:\.\d+)?", part)]
        found.append(np.cumsum(np.array(numbers).reshape(-1, 2), axis=0))
    return found


@dataclass
class DrivenPage:
    """A page, the requests that it made and what went wrong."""

    page: Page
    path: Path
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    at_opening: list[str] = field(default_factory=list)

    @classmethod
    def opened(cls, browser: Browser, path: Path) -> DrivenPage:
        """Open a file; everything else that it asks for is refused and noted."""
        context = browser.new_context(
            viewport={"width": 1440, "height": 900}, offline=True, reduced_motion="reduce"
        )
        context.set_default_timeout(30_000)
        driven = cls(context.new_page(), path)
        page, own = driven.page, path.as_uri()

        def decide(route: Route) -> None:
            driven.requests.append(route.request.url)
            _ = route.continue_() if route.request.url == own else route.abort()

        context.route("**/*", decide)
        page.on("pageerror", lambda error: driven.errors.append(f"page error: {error}"))
        page.on("console", lambda m: driven.errors.append(m.text) if m.type == "error" else None)
        page.add_init_script(_WATCH)
        page.goto(own)
        page.wait_for_function("() => document.body.dataset.ready === 'yes'")
        driven.at_opening = driven.problems
        return driven

    @property
    def problems(self) -> list[str]:
        """Errors, requests beyond the file, violations of the page's own policy."""
        own = self.path.as_uri()
        strange = [u for u in self.requests if u != own and not u.startswith(("data:", "blob:"))]
        return [*self.errors, *strange, *self.page.evaluate("window.violations")]

    def reset(self) -> None:
        """Bring every control back to where it is when the page opens, and forget problems."""
        self.errors.clear()
        del self.requests[1:]
        self.page.evaluate("window.violations.length = 0")
        self.page.evaluate(_RESET)

    def engineer(self) -> None:
        """Show the engineer's part with everything unfolded."""
        if self.page.get_attribute("#to-engineer", "aria-pressed") == "false":
            self.page.click("#to-engineer")
        self.page.evaluate(
            "document.querySelectorAll('#engineer details').forEach(d => d.open = true)"
        )

    def panels(self) -> dict[str, Shown]:
        """Return every panel of the view that is shown, by the column of its curve."""
        found: list[dict[str, Any]] = self.page.evaluate(_SNAPSHOT)
        return {told["name"]: Shown(**told) for told in found}

    def texts(self, selector: str) -> list[str]:
        """Return the text of each element."""
        return self.page.locator(selector).all_text_contents()
