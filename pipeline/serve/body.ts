import type { IncomingMessage, ServerResponse } from "node:http";
import { isTooDeep } from "./depth.js";
import { Fault } from "./fault.js";

/** Of a body that is too long so many times its limit is still read, so that who sends it reads the answer; then the line is cut. */
const PATIENCE = 4;

/** Bodies of requests, of which all together take no more than so many bytes. */
export class Bodies {
  #held = 0;

  constructor(private readonly most: number) {}

  /**
   * Reads the JSON of a request; undefined for an empty body.
   * @param most bytes
   * @param response with whose end the body is forgotten
   * @throws Fault: 413 for more, 503 where others take the room, 415 for another type, 400 for what is no JSON
   */
  async json(request: IncomingMessage, most: number, response: ServerResponse): Promise<unknown> {
    let own = 0;
    response.once("close", () => {
      this.#held -= own;
    });
    const text = await readText(request, most, (bytes) => {
      own += bytes;
      this.#held += bytes;
      return this.#held <= this.most;
    });
    if (text === "") return undefined;
    needJson(request);
    const value = parsed(text);
    if (isTooDeep(value)) throw new Fault(400, "too_deep", "the body is nested too deeply");
    return value;
  }
}

function needJson({ headers }: IncomingMessage): void {
  const type = headers["content-type"] ?? "";
  if (!/^application\/json[ \t]*(?:;|$)/i.test(type))
    throw new Fault(415, "not_json", "send `Content-Type: application/json`");
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity")
    throw new Fault(415, "encoded", "send the body as it is, without Content-Encoding");
}

/** @param hold told of bytes that are kept; false where there is no room for them */
async function readText(
  request: IncomingMessage,
  most: number,
  hold: (bytes: number) => boolean,
): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let room = true;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (room && bytes <= most) room = hold(chunk.length);
    if (room && bytes <= most) chunks.push(chunk);
    else chunks.length = 0;
    if (bytes > most * PATIENCE) {
      request.socket.destroy();
      break;
    }
  }
  if (bytes > most)
    throw new Fault(413, "too_large", `a body here has at most ${most} bytes`, { connection: "close" });
  if (!room)
    throw new Fault(503, "busy", "other requests take all the room; try again", { "retry-after": "1" });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Fault(400, "not_utf8", "the body is not UTF-8");
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Fault(400, "not_json", "the body is not JSON");
  }
}
