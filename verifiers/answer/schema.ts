import { z } from "zod";
import { parseUnit, UnitError } from "../units.js";
import type { Expected } from "./answer.js";

/** What a config or a row may say a right answer is. Bounds keep grading quick whatever a user's file holds. */

const MAX_ITEMS = 200;
const DECIMAL = /^[+-]?(?:\d{1,5000}(?:\.\d{0,5000})?|\.\d{1,5000})(?:[eE][+-]?\d{1,6})?$/;
const INTEGER = /^[+-]?\d{1,20000}$/;
const DATE = /^-?\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?$/;

const unit = z.string().superRefine((text, context) => {
  try {
    parseUnit(text);
  } catch (error) {
    if (!(error instanceof UnitError)) throw error;
    context.addIssue({ code: "custom", message: error.message });
  }
});

const short = z.string().min(1).max(2000);
const bound = z.number().finite();

/** The schema of {@link Expected}; a list of items may hold lists, to any depth that JSON itself came through. */
export const expectedSchema: z.ZodType<Expected> = z.lazy(() =>
  z.discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("quantity"),
      value: z.union([
        z.number().finite(),
        z.string().regex(DECIMAL, "write a decimal number, such as 1.27e-3"),
      ]),
      unit,
      tolerance: z.number().min(0).max(0.5),
      digits: z.number().int().min(1).max(100).optional(),
    }),
    z.strictObject({
      type: z.literal("integer"),
      value: z.string().regex(INTEGER, "write an integer in decimal digits, as text"),
    }),
    z.strictObject({
      type: z.literal("entity"),
      name: short,
      aliases: z.array(short).max(MAX_ITEMS),
      others: z.array(short).max(100_000).optional(),
    }),
    z.strictObject({ type: z.literal("boolean"), value: z.boolean() }),
    z
      .strictObject({ type: z.literal("choice"), value: short, options: z.record(short, short) })
      .refine(({ value, options }) => value in options || Object.values(options).includes(value), {
        message: "the right choice is none of the options: give a label or an option's text",
        path: ["value"],
      }),
    z.strictObject({
      type: z.literal("date"),
      value: z.string().regex(DATE, "write an ISO 8601 date: 1846, 1846-09 or 1846-09-23"),
    }),
    z.strictObject({
      type: z.enum(["list", "set", "tuple", "vector"]),
      items: z.array(expectedSchema).max(MAX_ITEMS),
    }),
    z.strictObject({
      type: z.literal("matrix"),
      rows: z
        .array(z.array(expectedSchema).min(1).max(MAX_ITEMS))
        .min(1)
        .max(MAX_ITEMS)
        .refine((rows) => rows.every((r) => r.length === rows[0]!.length), "all rows must be of one length"),
    }),
    z.strictObject({
      type: z.literal("interval"),
      low: expectedSchema.nullable(),
      high: expectedSchema.nullable(),
      closed: z.tuple([z.boolean(), z.boolean()]),
    }),
    z.strictObject({
      type: z.literal("expression"),
      text: z.string().min(1).max(5000),
      domain: z.record(z.string(), z.tuple([bound, bound])).optional(),
    }),
    z.strictObject({ type: z.literal("text"), value: z.string().min(1).max(20_000) }),
  ]),
);
