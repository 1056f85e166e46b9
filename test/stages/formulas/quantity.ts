/** "5.9722e24 kg" as a value and a unit; a bare number is a pure number. */
export function readQuantity(text: string): { value: number; unit: string } {
  const space = text.indexOf(" ");
  const [value, unit] = space < 0 ? [text, "1"] : [text.slice(0, space), text.slice(space + 1)];
  return { value: Number(value), unit };
}

export function readInputs(
  texts: Readonly<Record<string, string>>,
): Record<string, { value: number; unit: string }> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, readQuantity(text)]));
}
