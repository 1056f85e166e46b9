"""Whether a text commits itself to an answer: hedges, refusals, "I don't know", placeholders, copies of the question."""

from .jstext import trim, units
from .plain import fold
from .regex import Regex

_COMMITMENT_HEDGES = Regex(
    r"\b(?:maybe|perhaps|possibly|probably|presumably|either|might be|may be|could be|could also be|not (?:entirely |completely |quite |really )?(?:sure|certain)|unsure|uncertain|my (?:best )?guess|i(?:'d| would) guess|i guess|just guessing|a guess|somewhere (?:between|around)|approximately between|roughly between|around between|it depends|depending on|vielleicht|möglicherweise|wahrscheinlich|entweder|peut-être|probablement|quizás?|tal vez|probablemente|forse)\b|\?\s*$",
    "iu",
)
_COMMITMENT_UNKNOWING = Regex(
    r"\b(?:(?:i |we )?(?:do not|don't|dont|cannot|can't) (?:know|recall|remember|say for (?:sure|certain))|no idea|i have no (?:way|idea)|(?:ich )?weiß (?:es )?(?:ich )?nicht|je ne sais pas|no (?:lo )?sé)\b",
    "iu",
)
_COMMITMENT_REFUSALS = Regex(
    r"\b(?:(?:i|we) (?:cannot|can't|can not|could not|couldn't|won't|will not|must decline|decline|am unable|am not able|'m unable|'m not able)|i'm (?:sorry|unable|not able)|i am sorry|unable to (?:answer|determine|provide|find|help|compute|give|access)|as an ai|(?:cannot|can't|can not|could not) be (?:determined|answered|given|found|computed|known)|(?:not enough|insufficient) (?:information|data)|not determinable)\b",
    "iu",
)
_COMMITMENT_NOTHING = Regex(
    r"^(?:n\/?a|unknown|none|null|nil|undefined|not (?:available|applicable|known)|no answer|tbd|-+|\.{2,}|…|\?+|_+)[.!]?$",
    "i",
)
# "<value>", "[your answer]", "YOUR ANSWER HERE": an instruction's example, copied.
_COMMITMENT_PLACEHOLDER = Regex(
    r"^[<[({]? ?(?:the |your |final |numerical? )*(?:answer|value|result|number|name|unit|solution|value and unit|number and unit)(?: here| unit)?(?: ?[>\]})]| here)$|^<[a-z][a-z _-]{1,40}>(?: ?<[a-z][a-z _-]{1,40}>)?$",
    "i",
)
_COMMITMENT_SIGN = Regex(r"[\p{L}\p{N}\p{S}]", "u")
_COMMITMENT_EMPTY_SET = Regex(r"^[[({❴] ?[\])}❵]$")
_COMMITMENT_WORD = Regex(r"[\p{L}\p{N}]+", "gu")


def uncommitted(plain):
    """Why a text is no answer (no_answer, refusal, hedged, unknown), or None where it may be one."""
    text = trim(plain[:4000])
    if (
        text == ""
        or not _COMMITMENT_SIGN.test(text)
        or _COMMITMENT_NOTHING.test(text)
        or _COMMITMENT_PLACEHOLDER.test(text)
    ):
        # The empty set has no letter either.
        return None if _COMMITMENT_EMPTY_SET.test(text) else "no_answer"
    if _COMMITMENT_REFUSALS.test(text):
        return "refusal"
    if _COMMITMENT_HEDGES.test(text):
        return "hedged"
    return "unknown" if _COMMITMENT_UNKNOWING.test(text) else None


def copies_question(plain, question):
    """Whether a text is the question, or a long piece of it, said again."""
    said, asked = _commitment_words(plain), _commitment_words(question)
    if len(said) < 8 or len(asked) < 8:
        return len(said) >= 4 and said == asked
    a, b = f" {' '.join(said)} ", f" {' '.join(asked)} "
    return a in b or (b in a and len(said) < len(asked) + 12)


def _commitment_words(text):
    return [m[0] for m in _COMMITMENT_WORD.all(fold(units(text)[:20_000]))]
