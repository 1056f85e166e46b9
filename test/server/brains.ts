import type { Json } from "../../pipeline/base/canonical.js";
import type { Brain } from "./reply.js";
import type { ServedRequest } from "./request.js";

/** Brains: what each scripted model says. All they draw comes from `request.random`. */

/** Knows the answers: finds the question in the prompt and gives its answer; else says that it does not know. */
export function solver(answers: ReadonlyMap<string, string>): Brain {
  return (request) => {
    const text = allText(request);
    // The longest question first: one may begin like another.
    const known = [...answers.keys()].filter((q) => text.includes(q)).sort((a, b) => b.length - a.length)[0];
    if (known === undefined) return "I do not know this.";
    return worked(request, answers.get(known)!);
  };
}

/** Works the answer out from what the prompt holds, e.g. from the table of an open-book solve. */
export function computing(compute: (text: string, request: ServedRequest) => string | undefined): Brain {
  return (request) => {
    const answer = compute(allText(request), request);
    return answer === undefined ? "This cannot be worked out from the table." : worked(request, answer);
  };
}

/** Guesses: right by luck only. */
export function guesser(guesses: readonly string[] = ["1", "2", "3.5", "10", "1000"]): Brain {
  return (request) => worked(request, request.random.pick(guesses));
}

/** Says the question once more. */
export const copier: Brain = (request) => request.prompt;

/** Wrong, and sure of it; every draw says the same. */
export function confident(answer = "42.4242 kg"): Brain {
  return () => `This is well known and beyond doubt. Final answer: \\boxed{${answer}}`;
}

/** Structured output: whatever a function makes of the request, as JSON. */
export function scripted(script: (request: ServedRequest) => Json): Brain {
  return (request) => JSON.stringify(script(request));
}

/** A judge with its verdict in words, as `verdict` says. */
export function judge(verdict: (request: ServedRequest) => string): Brain {
  return (request) => verdict(request);
}

/** Everything the request says, in order. */
export function allText(request: ServedRequest): string {
  return request.body.messages.map((m) => m.content ?? "").join("\n");
}

/** The answer behind some working, which differs from draw to draw. */
function worked(request: ServedRequest, answer: string): string {
  return `Working, ${request.random.int(1e9)} steps.\nFinal answer: ${answer}`;
}
