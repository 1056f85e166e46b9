import type { ToolKind } from "../tool.js";
import { python } from "./python.js";
import { search } from "./search.js";
import { visit } from "./visit.js";

/** The tools that come with Taskmill, in the order in which models are told of them. */
export const toolKinds: readonly ToolKind[] = [search, visit, python];
