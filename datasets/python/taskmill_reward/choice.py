"""Judges a choice: its label ("B", "(B)", "B.", "option B"), its text, or both. Two choices are no answer."""

from .jstext import units
from .latex import plain_answer
from .regex import Regex
from .text import text_key
from .verdicts import verdict_right, verdict_undecided, verdict_wrong

_CHOICE_LABELLED = Regex(
    r"^(?:the )?(?:correct )?(?:(?:option|choice|answer|antwort|opción|réponse)(?: is)?:? )?(?:\(([^()\s]{1,10})\)|\[([^[\]\s]{1,10})\]|([^\s().:,;]{1,10})(?:[).:,]| -| –|(?= (?:because|since|as)\b| \()|$))(.*)$",
    "isu",
)
_CHOICE_MARKS = Regex(r"^[\s(.:),–-]+")
_CHOICE_MARKED = Regex(
    r"[([]([^\s()[\]]{1,10})[)\]]|(?:^|\b(?:and|or|und|oder)\s|[,/&]\s?)([A-Z\d]{1,3})(?=$|[\s.,;:/&)])", "u"
)
_CHOICE_BOTH = Regex(r"^(?:both|either) ", "i")
_CHOICE_INDEX = Regex(r"^(?:0|[1-9]\d{0,9})$")


def grade_choice(plain, expected):
    options = _choice_options(expected["options"])
    value = units(expected["value"])
    key = text_key(value)
    wanted = value if value in options else next((o for o in options if text_key(options[o]) == key), None)
    chosen = _choice_labels(plain[:5000], options)
    if chosen is None:
        return verdict_undecided("unreadable", "none of the options is named", plain)
    if len(chosen) > 1:
        return verdict_wrong("several_answers", f"more than one option is named: {', '.join(chosen)}", plain)
    if chosen[0] == wanted:
        return verdict_right("equal", f"option {chosen[0]} was chosen", plain)
    return verdict_wrong("wrong_value", f"option {chosen[0]} was chosen", plain)


def _choice_options(options):
    """In the order of a JavaScript object: labels that are numbers first, by size."""
    labels = sorted(options, key=_choice_place)
    return {units(label): units(options[label]) for label in labels}


def _choice_place(label):
    number = int(label) if _CHOICE_INDEX.test(label) else 2**32
    return number if number < 2**32 - 1 else 2**32


def _choice_labels(plain, options):
    by_key = {text_key(label): label for label in options}
    key = text_key(plain)
    texts = [label for label in options if text_key(plain_answer(options[label])) == key]
    # A label that is another option's text ({A: "B", B: "A"}) names two.
    if key in by_key:
        return list(dict.fromkeys([by_key[key], *texts]))
    if texts:
        return texts
    labels = _choice_labelled(plain, options, by_key)
    return _choice_several(plain, by_key) if labels is None else labels


def _choice_labelled(plain, options, by_key):
    """"B. text", "(B) text", "option B: text", "B because ...". The text, where it is an option's, must be that option's."""
    match = _CHOICE_LABELLED.search(plain)
    if match is None:
        return None
    label = by_key.get(text_key(next((match[i] for i in (1, 2, 3) if match[i] is not None), "")))
    if label is None:
        return None
    rest = _CHOICE_MARKS.sub("", match[4], 1)
    key = text_key(rest)
    others = [o for o in options if o != label and text_key(plain_answer(options[o])) == key]
    more = [o for o in _choice_marked(rest, by_key) if o != label]
    return list(dict.fromkeys([label, *others, *more]))


def _choice_marked(text, by_key):
    """Labels that stand in a text as labels: in brackets, or as a capital between "and", "or" and commas."""
    keys = [text_key(m[1] if m[1] is not None else m[2]) for m in _CHOICE_MARKED.all(text)]
    return [by_key[key] for key in keys if key in by_key]


def _choice_several(plain, by_key):
    if len(plain) > 60:
        return None
    found = list(dict.fromkeys(_choice_marked(", " + _CHOICE_BOTH.sub("", plain, 1), by_key)))
    return found if len(found) > 1 else None
