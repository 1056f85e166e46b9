/**
 * Chat markup: the signs by which templates tell turns apart. In foreign text they could pass for a turn of the assistant's own, to a
 * model as well as to a reward function that gets one decoded string.
 */

/** `<|im_start|>`, `<｜User｜>`: any special token of that shape, whatever the template. */
export const TOKEN = String.raw`<[|｜]([^|｜<>\s]{1,60})[|｜]>`;
/** `<|turn>` and `<turn|>`, which open and close. */
export const HALF = String.raw`<\|([a-z_]{1,20})>|<([a-z_]{1,20})\|>`;

/** Tags around what a tool answered, and around what a tool is asked. */
export const OBSERVED =
  "tool_response|tool_responses|tool_result|tool_results|function_response|function_results|tool_output|observation|information";
export const CALLED = "tool_call|tool_calls|function_call|function_calls|｜DSML｜function_calls";
/** Tags around turns of Gemma, which name the role behind them. */
export const TURNS = "start_of_turn|end_of_turn|start_function_response|end_function_response";
const THOUGHT = "think|thinking|thought|reasoning|reflection|scratchpad";
const ENDS = "s|bos|eos|pad|answer";
export const BRACKETED = "INST|TOOL_RESULTS|TOOL_CALLS|TOOL_CONTENT|SYSTEM_PROMPT|AVAILABLE_TOOLS";

/** Roles as templates write them: these stay behind where special tokens are left out of a decoded text. */
export const ROLES = "user|assistant|system|tool|ipython|observation|developer|model";
/** A role on a line of its own. */
export const ROLE_LINE = String.raw`(?<![^\n])(?:${ROLES})(?![^\n])`;
/** A role run together with the end of the turn before, as Llama's header leaves it: "...}ipython", then an empty line. */
export const ROLE_GLUED = String.raw`(?:ipython|assistant)(?=\n\n)|(?<=[.!?})\]"0-9])(?:user|tool)(?=\n\n)`;
/** What is left of gpt-oss's headers. */
export const CHANNEL_GLUED = "assistant(?=(?:analysis|commentary|final))";

const SIGNS = new RegExp(
  [
    String.raw`<(?=[|｜][^|｜<>\s]{1,60}[|｜]>)`,
    String.raw`<(?=\|[a-z_]{1,20}>|[a-z_]{1,20}\|>)`,
    `<(?=/?(?:${[OBSERVED, CALLED, TURNS, THOUGHT, ENDS].join("|")})>)`,
    String.raw`\[(?=/?(?:${BRACKETED}|THINK)\])`,
  ].join("|"),
  "gi",
);
const ROLE_WORDS = new RegExp(`${ROLE_LINE}|${ROLE_GLUED}|${CHANNEL_GLUED}`, "g");
/** The forms in which an agent commits itself: in a page they are nobody's commitment. */
const COMMITMENTS =
  /(?<![^\n])([ \t]{0,8}(?:(?:[-*+•]|[0-9]{1,3}[.)])[ \t]{1,4})?[*_`]{0,3})(finding)(?=[ \t]{0,2}#?[0-9]{0,3}[*_`]{0,3}[ \t]{0,3}[:：\-–—])|(?<![\p{L}\p{N}[])(final answer)(?=[ \t]{0,3}[*_]{0,2}[ \t]?[:：=])/giu;

/**
 * Foreign text with its chat markup harmless and visible: `< |im_start|>`, `[ INST]`, a line `[assistant]`, `[Finding]: ...`. A text
 * without markup comes back as it is, and so does one that was escaped before.
 */
export function escapeMarkup(text: string): string {
  return text
    .replace(SIGNS, (sign) => `${sign} `)
    .replace(ROLE_WORDS, (role) => `[${role}]`)
    .replace(
      COMMITMENTS,
      (_, lead: string | undefined, finding: string | undefined, final: string | undefined) =>
        finding === undefined ? `[${final}]` : `${lead}[${finding}]`,
    );
}
