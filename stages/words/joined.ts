/** Beginnings of a definition that a comma may join to the question; others stand in brackets behind the noun. */
const JOINED =
  /^(?:taking|from|by|as|on|at|over|for|with|assuming|neglecting|defined|in|leaving|treating|using|without|to|under|when|if|relative|ignoring|counting|given|expressed|measured|reckoned|disregarding|including|excluding|based|calculated|computed)\b/;

/** Whether a definition follows its noun behind a comma: "taking the body as a sphere". */
export function isJoined(definition: string): boolean {
  return JOINED.test(definition);
}
