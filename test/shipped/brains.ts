import { stream } from "../../pipeline/base/random.js";
import type { Card } from "../../sources/card.js";
import { FAMOUS_FACTS } from "../../stages/screen/facts.js";
import type { WordedRow } from "../../stages/task.js";
import { briefOf } from "../../stages/words/brief.js";
import { wordQuestion } from "../../stages/words/grammar.js";
import type { Brain, BrainReply, ServedRequest } from "../server/index.js";
import { answerText, expectedText } from "../stages/screen/answers.js";
import { readingOf, withoutCondition } from "./readings.js";
import type { Story } from "./stories.js";

/** Tasks with their stories, and what is needed to tell them. */
export interface Scene {
  readonly rows: readonly WordedRow[];
  readonly cards: ReadonlyMap<string, Card>;
  readonly stories: ReadonlyMap<string, Story>;
}

/** How the writer words a task: what the grammar says in another of its moods. */
export function goodWording(row: WordedRow, { cards }: Scene): string {
  return wordQuestion(row, cards, stream("shipped", "writer", row.id)).question;
}

/** A reply that ends in the middle. */
const CUT: BrainReply = { content: 'Let me think. {"question": "Of all', finish_reason: "length" };

/** Words the brief of one of the tasks, well or as its story says. */
export function writer(scene: Scene): Brain {
  const briefs = scene.rows.map((row) => ({ brief: briefOf(row, scene.cards), row }));
  return ({ body }) => {
    // Behind the brief stands the form of the reply.
    const told = body.messages[1]?.content ?? "";
    const row = briefs.find(({ brief }) => told.startsWith(brief))?.row;
    if (row === undefined) throw new Error(`this is the brief of no task: ${told}`);
    const again = body.messages.length > 2;
    const question = wordingAt(row, again ? 1 : (body.seed ?? 0), scene);
    return question === undefined ? CUT : JSON.stringify({ question });
  };
}

/** The question of one try, from 0; undefined for none. */
function wordingAt(row: WordedRow, attempt: number, scene: Scene): string | undefined {
  const good = goodWording(row, scene);
  const { write } = scene.stories.get(row.id)!;
  if (write === undefined || (write !== "fallback" && attempt > 0)) return good;
  if (write === "cut_off") return undefined;
  // First a condition is lost; who does not learn from that gives the entity away.
  if (attempt === 0) return goodWording(withoutCondition(row), scene);
  return `${good} Think of ${row.selection!.entity.name}.`;
}

/** Reads a question back into its program, or as its story says. */
export function reader(scene: Scene): Brain {
  const find = finder(scene);
  return (request) => {
    const row = find(request);
    const reading = readingOf(row, scene.cards);
    const { order } = reading.select;
    switch (scene.stories.get(row.id)!.read) {
      case "lost_condition":
        return JSON.stringify(readingOf(withoutCondition(row), scene.cards));
      case "turned_order":
        return JSON.stringify({
          ...reading,
          select: { ...reading.select, order: order === "max" ? "min" : "max" },
        });
      case "unknown_column":
        return JSON.stringify({ ...reading, select: { ...reading.select, column: "magnetic_field" } });
      case "prose":
        return "This is a question about a body of the Solar System; I would look it up.";
      case "cut_off":
        return { content: JSON.stringify(reading).slice(0, 60), finish_reason: "length" };
      default:
        return JSON.stringify(reading);
    }
  };
}

/** Knows four famous facts in five, and of the tasks what its stories say. */
export function memory(scene: Scene): Brain {
  const facts = new Map(FAMOUS_FACTS.map((fact, i) => [fact.question, { ...fact, known: i % 5 !== 4 }]));
  const find = finder(scene);
  return (request) => {
    const fact = facts.get(request.prompt);
    if (fact !== undefined) return ended(fact.known ? expectedText(fact.expected) : "I do not know");
    const row = find(request);
    const sample = request.body.seed ?? 0;
    const right = ended(answerText(row));
    const wrong = ended(wrongText(row, request));
    switch (scene.stories.get(row.id)!.recall) {
      case "at_once":
        return right;
      case "late":
        return sample === 0 ? wrong : right;
      case "declined":
        return { content: null, refusal: "I cannot help with that." };
      case "cut_off":
        return sample === 0 ? wrong : { content: "It must be somewhere near", finish_reason: "length" };
      default:
        return wrong;
    }
  };
}

/** Solves with the book open, or errs as its story says. */
export function solver(scene: Scene): Brain {
  const find = finder(scene);
  return (request) => {
    const row = find(request);
    const sample = request.body.seed ?? 0;
    const right = ended(answerText(row));
    switch (scene.stories.get(row.id)!.solve) {
      case "one_wrong":
        return sample === 0 ? right : ended(wrongText(row, request));
      case "both_wrong":
        return ended(wrongText(row, request, 1.5));
      case "cut_off":
        return sample === 0
          ? right
          : { content: "First I look for the rows that meet", finish_reason: "length" };
      default:
        return right;
    }
  };
}

/** The task whose question, in the model's words or in the grammar's, stands in a request. */
function finder(scene: Scene): (request: ServedRequest) => WordedRow {
  const known = scene.rows.flatMap((row) =>
    [goodWording(row, scene), row.question].map((question) => ({ question, row })),
  );
  known.sort((a, b) => b.question.length - a.question.length);
  return ({ prompt, body }) => {
    // A repair of a reply that was no JSON comes after the question itself.
    const asked = [prompt, ...body.messages.map((m) => m.content ?? "")];
    const found = known.find(({ question }) => asked.some((text) => text.includes(question)));
    if (found === undefined) throw new Error(`no task asks: ${prompt}`);
    return found.row;
  };
}

function ended(answer: string): string {
  return `I go by what I have.\n\nFinal answer: ${answer}`;
}

/** An answer that is far enough off. */
function wrongText({ answer }: WordedRow, { random }: ServedRequest, factor = 1.2 + random.next()): string {
  const value =
    answer.type === "integer" ? Math.round(answer.value) + 3 : Number((answer.value * factor).toPrecision(3));
  return answer.unit === "1" ? `${value}` : `${value} ${answer.unit}`;
}
