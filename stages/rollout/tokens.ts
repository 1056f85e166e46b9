import type { Completion } from "../model.js";

/**
 * How many turns have a prompt that does not start with the tokens of the turn before, prompt and completion: the text was tokenised
 * anew and a trainer would see other tokens than the model did. Null where the endpoint gives no token ids.
 * @param segments of the replies; where one starts, the prompt is another by intention
 */
export function drift(replies: readonly Completion[], segments: readonly number[]): number | null {
  if (replies.length === 0 || replies.some(({ tokens }) => tokens === undefined)) return null;
  let drifted = 0;
  for (let i = 1; i < replies.length; i++) {
    if (segments[i] !== segments[i - 1]) continue;
    const { prompt, completion } = replies[i - 1]!.tokens!;
    if (!extendsTokens(replies[i]!.tokens!.prompt, prompt, completion)) drifted++;
  }
  return drifted;
}

/** Whether a prompt starts with all that was there before. */
export function extendsTokens(
  now: readonly number[],
  prompt: readonly number[],
  completion: readonly number[],
): boolean {
  if (now.length < prompt.length + completion.length) return false;
  return prompt.every((id, i) => now[i] === id) && completion.every((id, i) => now[prompt.length + i] === id);
}
