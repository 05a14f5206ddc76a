"""Write the pages of the seed documents and the table of their rows.

usage: python benchmarks/seeds.py [--rows | --sentences]

Writes docs/seeds/*.md with docs/images/seeds/*.png, all numbers computed here, and
reports/validation/seeds.md; with ``--rows`` only the last; with ``--sentences`` only its list of
what the documents ask for, below rows that stay as they are. The rows need ../shared/oracles/seeds;
without them the pages are written and the script ends with exit code 1.
"""

from __future__ import annotations

import sys

import page
from usage import help_shown


def sentences() -> list[str]:
    """Return the table of what the documents ask for."""
    import tomllib
    from pathlib import Path

    path = Path(__file__).parent / "seed_pages" / "sentences.toml"
    found = tomllib.loads(path.read_text(encoding="utf-8"))["sentence"]
    rows = [(f"`{s['document']}`", s["asks"], f"`{s['answer']}`") for s in found]
    return [
        "",
        "## What the documents ask for",
        "",
        "Sentences that ask the reader to derive, compute, draw or solve, and what does it here.",
        "",
        *page.table(("document", "asked", "answered by"), rows),
    ]


def rows_page() -> int:
    """Write the table of rows; return how many miss their tolerance."""
    if not page.need_shared("oracles", "seeds"):
        return 1
    from seed_pages import rows_links, rows_trees

    sources = (
        rows_links.pendulum, rows_trees.chain, rows_links.links, rows_trees.tree_rows,
        rows_trees.loop_rows, rows_trees.new_rows, rows_trees.biped_rows,
    )  # fmt: skip
    rows = [row for source in sources for row in source()]
    measured = [row for row in rows if not isinstance(row.found, str)]
    missed = [row for row in measured if not row.holds]
    head = ("row", "what", "gaitdyn", "oracle", "largest difference", "asked", "test")
    lines = [
        "# Rows of the seed documents",
        "",
        *page.stamp("python benchmarks/seeds.py", "sympy"),
        "The systems of the five documents in `../shared/seeds`, row by row as",
        "`../shared/specs/seeds.md` lists them, against the numbers of other programs in",
        "`../shared/oracles/seeds`. What the documents say and where they err is on",
        "[five pages](../../docs/README.md#seeds).",
        "",
        f"{len(measured)} numbers measured, {len(missed)} above what is asked.",
        "",
        *page.table(head, [row.cells() for row in rows]),
        "",
        "- rel: over the largest value. Paths without a folder are below `gaitdyn/multibody`.",
        "- Tests of `tests/peer` are skipped where `../shared` is not there. Names are the",
        "  beginning of the test's name: `pytest tests/peer -k test_row_3_4`.",
        "- Rows 0.6 and 1.8 ask for two problems of a textbook whose statements are not in the",
        "  documents: what is shown is the route, a Lagrangian in and M, C, G out, on the double",
        "  pendulum ([page](../../docs/seeds/000-double-pendulum.md)).",
        "- Row 3.4: closed forms and Newton's method on 500 random linkages of each kind, eight",
        "  angles of the circle each, on both branches; none is refused but at a dead centre.",
        "- The double pendulum is compared up to 2 s: its motion is chaotic, as its page measures.",
        "  Under the PID of row 0.4 it is not.",
    ]  # fmt: skip
    lines += sentences()
    page.write("seeds", lines)
    for row in missed:
        print(f"missed: {row.number} {row.what}: {row.found} > {row.limit}")
    return len(missed)


def only_sentences() -> int:
    """Write the list of what the documents ask for anew, below the rows as they are."""
    path = page.FOLDER / "seeds.md"
    kept = path.read_text(encoding="utf-8").partition("\n## What the documents ask for")[0]
    page.write("seeds", [kept.rstrip(), *sentences()])
    return 0


def main() -> int:
    """Write everything."""
    if "--sentences" in sys.argv[1:]:
        return only_sentences()
    if "--rows" not in sys.argv[1:]:
        from seed_pages import documents

        documents.write_all()
    return int(rows_page() > 0)


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
