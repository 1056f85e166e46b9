import type { Gate } from "../../datasets/admission.js";
import { canonicalJson, type Json } from "../../pipeline/base/canonical.js";
import type { QuestionRow } from "../question.js";

/** The row with its entry for a gate, in place of an earlier one. */
export function withGate(row: QuestionRow, gate: Gate): QuestionRow {
  return { ...row, gates: [...row.gates.filter((g) => g.gate !== gate.gate), gate] };
}

/** Evidence as plain JSON: what is undefined is left out. */
export function evidenceJson(evidence: object): Json {
  return JSON.parse(canonicalJson(evidence)) as Json;
}
