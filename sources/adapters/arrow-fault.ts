/** What is wrong inside an Arrow file. */
export class ArrowFault extends Error {
  override readonly name = "ArrowFault";
}
