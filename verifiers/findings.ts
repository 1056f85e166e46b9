/** Something that a wording must not or must say. */
export interface Finding {
  /** A reason code of the `lint` stage. */
  readonly code: string;
  /** What is wrong, for people. */
  readonly what: string;
  /** The piece of the text that shows it, where there is one. */
  readonly where?: string;
}
