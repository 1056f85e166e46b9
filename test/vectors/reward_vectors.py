"""Scores the vectors in Python: `python3 reward_vectors.py PACKAGE_FOLDER VECTORS`. Prints what differs, and how many there were."""

import json
import sys

sys.path.insert(0, sys.argv[1])

from taskmill_reward import compute_score, escape_markup, score_conversation, score_text  # noqa: E402


def text_of(text):
    return text if isinstance(text, str) else "".join(piece * times for piece, times in text)


def score(vector):
    if "messages" in vector:
        messages = [{"role": m["role"], "content": text_of(m["content"])} for m in vector["messages"]]
        return score_conversation(messages, vector["truth"])
    return score_text(text_of(vector["solution"]), vector["truth"])


def main():
    with open(sys.argv[2], encoding="utf-8") as file:
        vectors = json.load(file)
    different = []
    for vector in vectors:
        found = score(vector)
        got = {key: found[key] for key in ("score", "acc", "progress", "answered")}
        got["verified"] = [step["id"] for step in found["steps"] if step["verified"]]
        if got != vector["expected"]:
            different.append({"name": vector["name"], "got": got, "expected": vector["expected"]})
    print(json.dumps({"vectors": len(vectors), "different": different}))


def scores():
    """Answers lines of {"solution" or "messages", "truth"} or {"escape"} with what comes out, steps and reasons too."""
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(escape_markup(asked["escape"]) if "escape" in asked else score(asked)))


if __name__ == "__main__":
    assert compute_score is not None
    if len(sys.argv) > 2:
        main()
    else:
        scores()
