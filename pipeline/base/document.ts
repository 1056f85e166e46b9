/** Located YAML documents: read, validate, and show what is wrong with them. */
export { renderProblems } from "./render.js";
export { at, hold, type Validated, validate } from "./validate.js";
export { type Document, type Environment, MAX_BYTES, type Path, parseText, readDocument } from "./yaml.js";
