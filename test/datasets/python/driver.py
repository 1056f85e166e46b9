"""Answers questions about the joined verifier: a JSON line in, a JSON line out. `[path of the module]`"""

import importlib.util
import json
import sys

spec = importlib.util.spec_from_file_location("taskmill_reward", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)


def extract(text, question=None, language=None):
    found = module.extract_final(text, question)
    return {"none": found.why} if isinstance(found, module.NoAnswer) else {"answer": module.points(found)}


def answer(question):
    context = question.get("context", {})
    if "answer" in question:
        return module.grade_answer(question["answer"], question["expected"], **context)
    if "reply" in question:
        return module.grade_reply(question["reply"], question["expected"], **context)
    return extract(question["text"], **context)


for line in sys.stdin:
    try:
        said = answer(json.loads(line))
    except Exception as error:
        said = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(said))
