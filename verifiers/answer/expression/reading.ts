/**
 * What can be read in two ways, and both ways. A verdict stands only if it is the same for all readings of what the two texts
 * hold; the same reading goes for both.
 */
export const CHOICES = {
  /** `log x`: in mathematics natural, elsewhere decimal. */
  log: ["natural", "decimal"],
  /** `1/2x`: half of x, or 1/(2x). */
  slash: ["left", "tight"],
  /** `sin x/2`, `sin x (x+1)`: what follows belongs to the argument or not. */
  reach: ["short", "long"],
  /** `2\frac{1}{2}`: a product, or two and a half. */
  mixed: ["product", "sum"],
  /** `2e-3`. */
  exponent: ["scientific", "euler"],
} as const;
export type Choice = keyof typeof CHOICES;

/** One way to read, which remembers what it was asked. */
export class Reading {
  readonly asked = new Set<Choice>();

  constructor(private readonly choices: Readonly<Partial<Record<Choice, string>>> = {}) {}

  is<C extends Choice>(choice: C, value: (typeof CHOICES)[C][number]): boolean {
    this.asked.add(choice);
    return (this.choices[choice] ?? CHOICES[choice][0]) === value;
  }
}

/** All combinations of ways to read what was asked. */
export function combinations(asked: Iterable<Choice>): Partial<Record<Choice, string>>[] {
  let all: Partial<Record<Choice, string>>[] = [{}];
  for (const choice of [...asked].sort()) {
    all = all.flatMap((one) => CHOICES[choice].map((value) => ({ ...one, [choice]: value })));
  }
  return all;
}
