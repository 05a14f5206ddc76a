"""One open report: what went wrong on it, and what its panels show."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.plots.panels import JOINT_FORCES, KINEMATICS, KINETICS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from playwright.sync_api import Browser, Page, Route

GRIDS = {"kinematics": KINEMATICS, "kinetics": KINETICS, "forces": JOINT_FORCES}
PANELS = {name: [panel for row in grid for panel in row] for name, grid in GRIDS.items()}
CHOICES = ("view", "convention", "axes", "units")

_WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (e) =>
  window.violations.push(`${e.violatedDirective}: ${e.blockedURI}`));
"""
_SNAPSHOT = """
() => [...document.querySelectorAll(".panel")].map((panel) => {
  const plot = panel.querySelector(".plot");
  return {
    caption: panel.querySelector("figcaption").textContent,
    words: plot.layout.annotations.map((a) => a.text),
    range: [...plot.layout.yaxis.range],
    empty: plot.querySelector(".empty")?.textContent || "",
    traces: plot.data.map((t) => ({
      name: t.hovertemplate || "", fill: t.fillcolor || "", width: t.line.width,
      dash: t.line.dash || "", colour: t.line.color || "",
      y: [...t.y].map((v) => (Number.isFinite(v) ? v : null)),
    })),
  };
})
"""


_RESET = """(choices) => {
  for (const name of choices) {
    const control = document.getElementById(name), { value } = control.options[0];
    if (control.value === value) continue;
    control.value = value;
    control.dispatchEvent(new Event("change", { bubbles: true }));
  }
  for (const box of document.querySelectorAll("#controls input[type=checkbox]"))
    if (!box.checked && !box.disabled) box.click();
  for (const details of document.querySelectorAll("details")) details.open = false;
}"""


@dataclass
class Trace:
    """A line or an area of a panel."""

    name: str
    fill: str
    width: float
    dash: str
    colour: str
    y: NDArray[np.float64]

    @property
    def cycle(self) -> tuple[str, int] | None:
        """Side and number, of the line of one cycle."""
        found = re.match(r"(left|right) (\d+)(?: \(not of a whole step\))?, ", self.name)
        return (found[1], int(found[2])) if found else None


@dataclass
class Shown:
    """A panel as it is drawn: its caption, the words of its ends, its lines."""

    name: str
    caption: str
    words: list[str]
    range: list[float]
    empty: str
    traces: list[Trace]

    @property
    def cycles(self) -> dict[tuple[str, int], NDArray[np.float64]]:
        """Side and number of a cycle -> the values that are drawn."""
        return {trace.cycle: trace.y for trace in self.traces if trace.cycle}

    @property
    def bands(self) -> int:
        """How many grey areas of the reference there are."""
        return sum("120,120,120" in trace.fill for trace in self.traces)

    def looks_like(self, other: Shown) -> bool:
        """Whether caption, words, limits and lines are the same."""
        return repr(self) == repr(other) and all(
            np.array_equal(a.y, b.y, equal_nan=True)
            for a, b in zip(self.traces, other.traces, strict=True)
        )


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
            viewport={"width": 1300, "height": 900}, offline=True, reduced_motion="reduce"
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
        strange = [url for url in self.requests if url != self.path.as_uri()]
        return [*self.errors, *strange, *self.page.evaluate("window.violations")]

    def reset(self) -> None:
        """Bring every control back to where it is when the page opens, and forget problems."""
        self.errors.clear()
        del self.requests[1:]
        self.page.evaluate("window.violations.length = 0")
        if self.page.get_attribute("#play", "aria-pressed") == "true":
            self.page.click("#play")
        self.page.evaluate(_RESET, list(CHOICES))

    def choose(self, name: str, value: str) -> None:
        """Select an option of a control."""
        if self.page.input_value(f"#{name}") != value:
            self.page.select_option(f"#{name}", value)

    def panels(self) -> dict[str, Shown]:
        """Return every panel under its column of internal moments in segment axes."""
        found = self.page.evaluate(_SNAPSHOT)
        names = [panel.name for panels in PANELS.values() for panel in panels]
        assert len(found) == len(names)
        return {
            name: Shown(name, **(told | {"traces": [_trace(t) for t in told["traces"]]}))
            for name, told in zip(names, found, strict=True)
        }

    def texts(self, selector: str) -> list[str]:
        """Return the text of each element."""
        return self.page.locator(selector).all_text_contents()


def _trace(told: dict[str, Any]) -> Trace:
    words = {key: value for key, value in told.items() if key != "y"}
    return Trace(**words, y=np.array(told["y"], dtype=float))


def changed(before: dict[str, Shown], after: dict[str, Shown]) -> set[str]:
    """Return the panels that look different."""
    return {name for name in before if not before[name].looks_like(after[name])}


def of_unit(*units: str) -> set[str]:
    """Return the panels whose curves have one of some units."""
    return {p.name for panels in PANELS.values() for p in panels if p.unit in units}


def moments(names: Sequence[str] | set[str]) -> set[str]:
    """Return the panels of joint moments."""
    return {name for name in names if "_moment_" in name}
