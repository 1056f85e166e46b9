"""Judges a final answer, alone: what a reply says before it is for `extract` to tell. Total: any text gets a verdict, in time about linear
in its length; more than 20,000 characters are `undecided`.
"""

from .boolean import grade_boolean
from .boxed import boxes
from .choice import grade_choice
from .commitment import copies_question, uncommitted
from .date import grade_date
from .entity import grade_entity
from .expr_grade import grade_expression
from .integer import grade_integer
from .interval import grade_interval
from .jstext import trim, units
from .language import notation_of
from .latex import plain_answer
from .matrix import grade_matrix
from .phrases import complement
from .quantity import grade_quantity
from .sequence import grade_sequence
from .text import grade_text
from .verdicts import MAX_ANSWER, verdict_right, verdict_undecided, verdict_wrong

# Lists within lists that are looked at.
_GRADE_MAX_DEPTH = 8


def grade_answer(answer, expected, language=None, question=None):
    """The verdict on a final answer: {"verdict", "reason", "why", "read"}.

    `expected` is the right answer as the ground truth has it: {"type": "quantity", "value": 1.27, "unit": "g/cm^3", "tolerance": 0.01}.
    `language` is the question's (BCP 47, default en), `question` its text, so that a copy of it is not taken for an answer.
    """
    return answer_verdict(units(answer), expected, language, question).as_dict()


def answer_verdict(answer, expected, language=None, question=None):
    if len(answer) > MAX_ANSWER:
        return verdict_undecided("too_long", "the answer is longer than 20,000 characters", answer)
    boxed = boxes(answer)
    raw = boxed[-1][0] if boxed else answer
    notation = notation_of(language)
    plain = plain_answer(raw)
    if is_literal(expected):
        verdict = _grade_one(raw, plain, expected, notation, 0)
        if verdict.verdict == "right" and (uncommitted(plain) is None or _grade_says_just(plain, expected)):
            return verdict
    refused = _grade_refused(plain, expected, question)
    return _grade_one(raw, plain, expected, notation, 0) if refused is None else refused


def is_literal(expected):
    """Answers in words may be words that hedge or refuse elsewhere: "unknown", "cannot be determined"."""
    return expected["type"] in ("text", "choice", "entity")


def _grade_says_just(plain, expected):
    """Whether the answer is word for word what is expected."""
    if expected["type"] == "text":
        wanted = [expected["value"]]
    elif expected["type"] == "entity":
        wanted = [expected["name"], *expected["aliases"]]
    else:
        wanted = [expected["value"], *expected["options"], *expected["options"].values()]
    # A question mark is a hedge, unless it is part of the right words.
    return any(
        grade_text(plain, plain_answer(w)).verdict == "right" and (trim(w).endswith("?") or not plain.endswith("?"))
        for w in wanted
    )


def _grade_refused(plain, expected, question):
    """The verdict on what is no answer at all, whatever is expected; None where it may be one."""
    why = uncommitted(plain)
    if why is not None:
        return not_answered(why, plain)
    if question is not None and expected["type"] != "choice" and copies_question(plain, question):
        return not_answered("copied_question", plain)
    return None


_GRADE_WHY = {
    "no_answer": "no answer is stated",
    "refusal": "the reply declines to answer",
    "unknown": "the reply says that it does not know",
    "hedged": "the answer does not commit itself to one value",
    "copied_question": "the question is said again",
    "several_answers": "several final answers are stated that differ",
    "unfinished": "the reply ends within its reasoning",
}


def not_answered(why, plain):
    """The verdict where nothing was committed to. A reply that states nothing (empty, declined, cut off) tells nothing about what its
    writer knows and is undecided; one that does not know, or will not settle, is wrong."""
    silent = why in ("no_answer", "refusal", "unfinished")
    return (verdict_undecided if silent else verdict_wrong)(why, _GRADE_WHY[why], plain)


class Asked:
    """What a grader is given: the answer as written and in plain form, the expected answer, the notation, and `item(text, expected)`,
    which judges a part of the answer."""

    __slots__ = ("raw", "plain", "expected", "notation", "item")

    def __init__(self, raw, plain, expected, notation, item):
        self.raw = raw
        self.plain = plain
        self.expected = expected
        self.notation = notation
        self.item = item


def _grade_sequence(a):
    return grade_sequence(a.raw, complement(a.plain), a.expected, a.notation, a.item)


# For each type of answer its grader: a function of Asked that returns a Verdict.
_GRADE_BY_TYPE = {
    "quantity": lambda a: grade_quantity(complement(a.plain, True), a.expected, a.notation),
    "integer": lambda a: grade_integer(complement(a.plain, True), a.expected, a.notation),
    "entity": lambda a: grade_entity(complement(a.plain), a.expected),
    "boolean": lambda a: grade_boolean(a.plain, a.expected["value"]),
    "choice": lambda a: grade_choice(a.plain, a.expected),
    "date": lambda a: grade_date(complement(a.plain), a.expected["value"], a.notation),
    "list": _grade_sequence,
    "set": _grade_sequence,
    "tuple": _grade_sequence,
    "vector": _grade_sequence,
    "matrix": lambda a: grade_matrix(complement(a.plain), a.expected, a.notation, a.item),
    "interval": lambda a: grade_interval(complement(a.plain), a.expected, a.notation, a.item),
    "expression": lambda a: grade_expression(a.raw, a.expected),
    "text": lambda a: grade_text(a.plain, plain_answer(a.expected["value"])),
}


def _grade_one(raw, plain, expected, notation, depth):
    if depth > _GRADE_MAX_DEPTH:
        return verdict_undecided("too_deep", "the answer is nested too deeply", plain)

    def item(text, of):
        why = None if is_literal(of) else uncommitted(text)
        # An item of a list: its text was made plain with the whole.
        return _grade_one(text, text, of, notation, depth + 1) if why is None else not_answered(why, text)

    grader = _GRADE_BY_TYPE.get(expected["type"])
    if grader is None:
        raise ValueError(f"there is no answer type {expected['type']!r}: {', '.join(_GRADE_BY_TYPE)} are known")
    return grader(Asked(raw, plain, expected, notation, item))
