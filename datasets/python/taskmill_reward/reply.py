"""Extracts the final answer of a reply and judges it. Several statements of it are right only if each is."""

from .commitment import copies_question
from .extract import NoAnswer, final_answers
from .grade import answer_verdict, is_literal, not_answered
from .jstext import points, trim, units
from .verdicts import MAX_ANSWER, verdict_wrong

# Statements of the final answer that are graded; a reply with more of them commits to none.
_REPLY_MAX_STATEMENTS = 50


def grade_reply(text, expected, language=None, question=None):
    """As `grade_answer`, with "answer": the answer as extracted, None where the reply states none."""
    verdict, answer = reply_verdict(units(text), expected, language, question)
    return {**verdict.as_dict(), "answer": None if answer is None else points(answer)}


def reply_verdict(text, expected, language=None, question=None):
    """Verdict and extracted answer."""
    found = final_answers(text, question)
    if isinstance(found, NoAnswer):
        if question is not None and len(text) <= MAX_ANSWER and copies_question(text, question):
            return not_answered("copied_question", text), None
        return _reply_literally(text, expected, language, question, found.why)
    distinct = list(dict.fromkeys(found))
    answer = distinct[-1]
    last = answer_verdict(answer, expected, language, question)
    if len(distinct) == 1:
        return last, answer
    if len(distinct) > _REPLY_MAX_STATEMENTS:
        return not_answered("several_answers", answer), answer
    before = [answer_verdict(other, expected, language, question) for other in distinct[:-1]]
    if all(v.verdict == last.verdict for v in before):
        return last, answer
    why = "several final answers are stated that differ"
    return verdict_wrong("several_answers", why, " | ".join(distinct)), answer


def _reply_literally(text, expected, language, question, why):
    """A reply of a few words that would be no answer elsewhere may be the right text or choice: "unknown", "None"."""
    if is_literal(expected) and trim(text) != "" and len(text) <= 300:
        verdict = answer_verdict(text, expected, language, question)
        if verdict.verdict == "right":
            return verdict, trim(text)
    return not_answered(why, None if why == "no_answer" else text), None
