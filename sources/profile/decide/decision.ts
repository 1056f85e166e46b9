import type { ColumnCard } from "../../card.js";
import type { Form } from "../numbers.js";

/** Something that a person should know, or decide, about a column. */
export interface Note {
  /** Stable, for programs: `sentinel`, `tie_at_extreme`, `unit_guessed`. */
  readonly code: string;
  readonly text: string;
  /** Whether somebody must decide: such notes stand in a card as `CHECK`. */
  readonly check: boolean;
}

/** What a column is taken for. */
export type Role =
  | "key"
  | "name"
  | "measure"
  | "year"
  | "place"
  | "count"
  | "flag"
  | "nominal"
  | "text"
  | "companion"
  | "empty";

/** What a draft card says of a column, each guess with its note. */
export interface Decision {
  readonly field: string;
  /** Column id in the card. */
  readonly id: string;
  readonly role: Role;
  readonly type: ColumnCard["type"];
  readonly scale: ColumnCard["scale"];
  readonly unit?: string;
  readonly number?: NumberDraft;
  readonly flag?: { readonly true: readonly string[]; readonly false: readonly string[] };
  readonly trim: boolean;
  readonly nulls: readonly string[];
  readonly range?: readonly [number | null, number | null];
  readonly uncertainty?: ColumnCard["uncertainty"];
  readonly drift?: ColumnCard["drift"];
  readonly limit?: string;
  readonly kind?: string;
  readonly may: readonly ("filter" | "select" | "compute")[];
  readonly noun: string;
  readonly quantity?: QuantityGuess;
  /** Cells that the card will not read. */
  readonly unreadable: number;
  readonly notes: readonly Note[];
}

/** How numbers of a column are written, where it is not plainly. */
export interface NumberDraft {
  readonly forms: readonly Exclude<Form, "decimal_comma" | "dot_grouped">[];
  readonly decimal?: ",";
  readonly group?: ".";
  readonly prefix: readonly string[];
  readonly suffix: readonly string[];
  readonly factor?: number;
}

/** A quantity that formulas know; `sure` when name and unit fit it and no other. */
export interface QuantityGuess {
  readonly ids: readonly string[];
  readonly sure: boolean;
  /** What makes it unsafe to bind without a look: formulas with the Sun's mass in them. */
  readonly warning?: string;
}

export const note = (code: string, text: string): Note => ({ code, text, check: false });
export const check = (code: string, text: string): Note => ({ code, text, check: true });
