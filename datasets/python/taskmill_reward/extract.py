"""The final answer of a reply, by declared precedence: `\\boxed{}`; `<answer>` tags and `####`; "Final answer: ..."; an "Answer: ..." line;
"the answer is ..."; else the whole text if it is one short statement. Never a number found in a formula or sentence.
"""

from .boxed import boxes
from .commitment import uncommitted
from .jstext import trim, units
from .latex import plain_answer
from .months import month_of
from .reasoning import without_reasoning
from .regex import Regex
from .text import text_key
from .verdicts import MAX_ANSWER, MAX_REPLY

# Longest whole text that is taken as an answer.
_EXTRACT_MAX_WHOLE = 300
# Of several markers of a kind, how many from the end are looked at.
_EXTRACT_MAX_MARKERS = 50


class NoAnswer:
    """Why a reply holds no final answer: no_answer, several_answers, hedged, refusal, unknown, or unfinished (it ends in reasoning)."""

    __slots__ = ("why",)

    def __init__(self, why):
        self.why = why


def extract_final(text, question=None):
    """The final answer that a reply states, or a NoAnswer. Looks at the last 200,000 characters."""
    found = final_answers(text, question)
    if isinstance(found, NoAnswer):
        return found
    keys = {text_key(plain_answer(answer[:2000])) for answer in found}
    return found[-1] if len(keys) == 1 else NoAnswer("several_answers")


def final_answers(text, question=None):
    """All statements of the kind that takes precedence, in order, or a NoAnswer: the last is the answer if all say the same."""
    visible = without_reasoning(units(text)[-MAX_REPLY:])
    if visible is None:
        return NoAnswer("unfinished")
    said = _extract_tidy(_extract_without_question(visible, question))
    if trim(said) == "":
        return NoAnswer("no_answer")
    boxed = boxes(said)
    if boxed:
        later = _extract_marked(_EXTRACT_FINAL, said[boxed[-1][2] :])
        return _extract_committed([content for content, _, _ in boxed] + later)
    for level in _EXTRACT_LEVELS:
        answers = level(said)
        if answers:
            return _extract_committed(answers)
    return _extract_whole(said)


def _extract_committed(found):
    answers = [_extract_unwrapped(answer) for answer in found]
    last = uncommitted(plain_answer(answers[-1][:4000]))
    return NoAnswer(last) if last in ("no_answer", "refusal") else answers


_EXTRACT_ANGLES = Regex(r"^<([^<>\n]{1,500})>[.]?$")


def _extract_unwrapped(answer):
    """`<1.27 g/cm³>`: the brackets of the prompt's `<answer>` were kept. A name in small letters is a placeholder of its own."""
    match = _EXTRACT_ANGLES.search(answer)
    return answer if match is None or uncommitted(answer) is not None else trim(match[1])


def _extract_without_question(text, question):
    asked = "" if question is None else trim(units(question))
    return text if len(asked) < 20 else text.replace(asked, "\n")


_EXTRACT_BOLD = Regex(r"""(^|[\s(:"'])(\*\*|__|`)(?=\S)([^*_`\n]{1,2000})\2(?=$|[\s).,:;!?"'])""", "gmu")
_EXTRACT_ITALIC = Regex(r"""(^|[\s(:"'])([*_])(?=[^\s*_])([^*_`\n]{1,2000})(?<=\S)\2(?=$|[\s).,:;!?"'])""", "gmu")
_EXTRACT_HEADING = Regex(r"^[ \t]{0,8}(?:#{1,3}|>)[ \t]+", "gm")
_EXTRACT_CHEERS = Regex(r"[✅☑🎉🪐🎯]{1,4}\ufe0f?[ \t]{0,8}$", "gmu")
_EXTRACT_STARS = Regex(r"\*\*(?=[^*\n]{0,60}:?\s*$)", "gm")


def _extract_tidy(text):
    """Without marks of Markdown that change nothing: bold, code, quotes, headings."""
    text = _EXTRACT_BOLD.sub(lambda m: m[1] + m[3], text)
    text = _EXTRACT_ITALIC.sub(lambda m: m[1] + m[3], text)
    return _EXTRACT_STARS.sub("", _EXTRACT_CHEERS.sub("", _EXTRACT_HEADING.sub("", text)))


_EXTRACT_TAG = Regex(r"<answer>([^<]{1,20000}(?:<(?!\/?answer>)[^<]{0,20000}){0,50})<\/answer>", "gi")
_EXTRACT_HASHES = Regex(r"^[ \t]{0,8}####[ \t]+([^\n]+)$", "gm")


def _extract_tagged(text):
    found = _EXTRACT_TAG.all(text) if "<" in text else []
    if not found and "####" in text:
        found = _EXTRACT_HASHES.all(text)
    return [trim(m[1]) for m in found]


_EXTRACT_FINAL = Regex(
    r"""(?:^|[\s>*_"(])(?:(?:my |the |our )?final answer|endgültige antwort|réponse finale|respuesta final|risposta finale|resposta final|итоговый ответ|最终答案)(?:\s(?:is|ist|est|es))?\s{0,3}[*_]{0,2}\s?(?:[:：=]|[–—-](?=\s))?[*_]{0,2}[ \t]*""",
    "giu",
)
_EXTRACT_LINE = Regex(
    r"^[ \t*_>-]{0,8}(?:answer|ans|antwort|lösung|réponse|respuesta|risposta|resposta|antwoord|ответ|答案|答え|정답)[*_]{0,2}\s?[:：][*_]{0,2}[ \t]*",
    "gimu",
)
_EXTRACT_SENTENCE = Regex(
    r"(?:^|[\s,.;:(])(?:(?:so|thus|therefore|hence),? )?(?:the|my) (?:correct |right )?answer (?:is|would be|must be|should be|equals|=)(?: therefore| thus| then)?(?: that)?:?[ \t]*",
    "gi",
)


def _extract_marked(marker, text):
    """What each marker announces: the rest of its line, or the block of lines that follows."""
    blocks = [_extract_block(text, match.end()) for match in marker.all(text)[-_EXTRACT_MAX_MARKERS:]]
    return [block for block in blocks if block != ""]


_EXTRACT_INDENT = Regex(r"^(?:[ \t]*\n){0,3}[ \t]*")
# Two or more lines that are items of a list, or rows in brackets.
_EXTRACT_LIST = Regex(
    r"^(?:[-*•] [^\n]{1,500}(?:\n[ \t]*[-*•] [^\n]{1,500}){1,60}|\d{1,3}[.)] [^\n]{1,500}(?:\n[ \t]*\d{1,3}[.)] [^\n]{1,500}){1,60})"
)
# Formulas set apart, and matrices that begin on this line and end on a later one.
_EXTRACT_DISPLAYS = (
    Regex(r"^\$\$[^$]{1,5000}\$\$"),
    Regex(r"^\\\[(?:[^\\]|\\(?!\])){1,5000}\\\]"),
    Regex(r"^[^\n]{0,200}\\begin\{(\w{1,20}\*?)\}(?:[^\\]|\\(?!end\{)){1,5000}\\end\{\1\}[^\n]{0,100}"),
)


def _extract_block(text, at):
    """The statement on a line, or, where it is begun there, a list or a display of several lines."""
    start = at + _EXTRACT_INDENT.search(text[at : at + 400]).end()
    reach = text[start : start + MAX_ANSWER]
    listed = _EXTRACT_LIST.search(reach) if start > at and "\n" in text[at:start] else None
    if listed is not None:
        return trim(listed[0])
    for form in _EXTRACT_DISPLAYS:
        display = form.search(reach)
        if display is not None:
            return trim(display[0])
    return _extract_statement(_extract_line(reach))


_EXTRACT_REST = Regex(r"^[^\n]*")
_EXTRACT_CLOSING = Regex(r"[*_]{1,2}$")


def _extract_line(text):
    return trim(_EXTRACT_CLOSING.sub("", trim(_EXTRACT_REST.search(text)[0]), 1))


_EXTRACT_BEFORE = Regex(r"[^.!?\n]{0,120}$")


def _extract_sentences(text):
    """ "... the answer is X." up to the end of the sentence; a hedge before it in the same sentence goes along."""
    found = []
    for match in _EXTRACT_SENTENCE.all(text)[-_EXTRACT_MAX_MARKERS:]:
        before = _EXTRACT_BEFORE.search(text[max(0, match.start() - 120) : match.start() + 1])[0]
        rest = _extract_block(text, match.end())
        if rest == "":
            continue
        doubt = uncommitted(plain_answer(before))
        found.append(f"maybe {rest}" if doubt in ("hedged", "unknown") else rest)
    return found


_EXTRACT_STOP = Regex(r"""(?<=\d|\p{L}{4}|[)\]}$%°³²])[.!](?=\s+([\p{Lu}"“(]\p{L}*))""", "gu")


def _extract_statement(line):
    """The first sentence of a line. "Mt. St. Helens" and "1.27 g. " end no sentence early: a stop needs a word of four letters or a digit
    before."""
    for end in _EXTRACT_STOP.all(line):
        # "23. September 1846" is one date.
        if line[end.start() - 1] in "0123456789" and month_of(end[1]) is not None:
            continue
        return trim(line[: end.start() + 1])
    return trim(line)


_EXTRACT_LEVELS = (
    _extract_tagged,
    lambda text: _extract_marked(_EXTRACT_FINAL, text),
    lambda text: _extract_marked(_EXTRACT_LINE, text),
    _extract_sentences,
)
_EXTRACT_ITEM = Regex(r"^\s*(?:[-*•]|\d{1,3}[.)]) ")
_EXTRACT_DISPLAY = Regex(r"^(?:\$\$|\\\[|```|\\begin\{)")
_EXTRACT_FENCES = Regex(r"^```\w{0,10}\n?|\n?```$", "g")


def _extract_whole(said):
    """A short text that is one statement."""
    text = trim(said)
    lines = [line for line in text.split("\n") if trim(line) != ""]
    listed = 1 < len(lines) <= 60 and len(text) <= 5000 and all(_EXTRACT_ITEM.test(line) for line in lines)
    if not listed and (len(text) > _EXTRACT_MAX_WHOLE or len(lines) > 1):
        doubt = uncommitted(plain_answer(text[:_EXTRACT_MAX_WHOLE]))
        if not (_EXTRACT_DISPLAY.test(text) and len(text) <= 2000):
            return NoAnswer(doubt if doubt in ("refusal", "unknown") else "no_answer")
    bare = _EXTRACT_FENCES.sub("", text)
    doubt = uncommitted(plain_answer(bare))
    if doubt is not None:
        return NoAnswer(doubt)
    if not listed and _extract_statement(bare) != bare:
        return NoAnswer("no_answer")
    return [bare]
