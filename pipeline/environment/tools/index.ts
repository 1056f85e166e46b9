import type { ToolKind } from "../tool.js";
import { python } from "./python.js";

/** The tools that come with Taskmill, in the order in which models are told of them. */
export const toolKinds: readonly ToolKind[] = [python];
