import { z } from "zod";

/** Ids become parts of file names and SQL parameters' values, never SQL text. */
export const identifier = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,62}$/, "an id is lower-case letters, digits, _ and -, starting with a letter");
