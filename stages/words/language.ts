/** Whether a BCP 47 tag means some English: the mention checks of the lint read no other language. */
export function isEnglish(language: string): boolean {
  return /^en(?:-|$)/i.test(language);
}
