/** A page that cannot be had: what the agent is told, in one sentence without a full stop. */
export class PageFault extends Error {
  override readonly name = "PageFault";
}
