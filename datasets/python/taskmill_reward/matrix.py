"""Judges a matrix: LaTeX environments, nested brackets, or rows parted by semicolons. Rows and columns are never exchanged."""

from .brackets import cut_at, top_level
from .jstext import SPACES
from .regex import Regex
from .split import items_of, unwrap
from .verdicts import verdict_right, verdict_undecided, verdict_wrong

_MATRIX_NAME = Regex(r"^[A-Za-z]\w{0,3} ?= ?")


def grade_matrix(plain, expected, notation, grade):
    """`grade(text, expected)` judges one entry."""
    wanted = expected["rows"]
    wide = len(wanted[0]) if wanted else 0
    rows = _matrix_rows(_MATRIX_NAME.sub("", plain, 1).rstrip(".;," + SPACES), wide, notation)
    if rows is None:
        return verdict_undecided("unreadable", "the answer cannot be read as a matrix", plain)
    if len(rows) != len(wanted) or any(len(row) != wide for row in rows):
        return verdict_wrong("wrong_shape", f"the right matrix has {len(wanted)} rows of {wide}", plain)
    undecided = None
    for row, wanted_row in zip(rows, wanted):
        for cell, of in zip(row, wanted_row):
            verdict = grade(cell, of)
            if verdict.verdict == "wrong":
                return verdict_wrong("wrong_item", f"an entry is wrong: {verdict.why}", plain)
            if verdict.verdict == "undecided" and undecided is None:
                undecided = verdict
    if undecided is not None:
        return verdict_undecided(undecided.reason, f"an entry cannot be judged: {undecided.why}", plain)
    return verdict_right("equal", "all entries are right", plain)


def _matrix_rows(text, wide, notation):
    box = unwrap(text)
    # \left[\begin{array}...\end{array}\right] has its brackets twice.
    if box is not None and box.inside.startswith("[["):
        inner = unwrap(box.inside)
        box = inner if inner is not None and inner.behind == "" else box
    if box is None or box.behind != "":
        return None
    nested = [unwrap(row) for row in cut_at(box.inside, top_level(box.inside, ";,"))]
    if all(row is not None and row.behind == "" for row in nested):
        return [items_of(row.inside, notation, wide, True, False)[0] for row in nested]
    if any(row is not None for row in nested):
        return None
    # [1, 2; 3, 4] and [1 2; 3 4]
    lines = cut_at(box.inside, top_level(box.inside, ";"))
    return [items_of(line, notation, wide, True, False)[0] for line in lines]
