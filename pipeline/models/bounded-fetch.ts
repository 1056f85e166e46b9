import { ProviderError } from "./transport.js";

/** No answer about a job is longer. */
const LONGEST = 64 * 2 ** 20;
/** Of an error answer so much is read. */
const LONGEST_ERROR = 2 ** 16;
/** Statuses of answers that have no body. */
const BARE = [101, 204, 205, 304];

/**
 * `fetch` for the SDK's own reading of bodies, which has no bound. What is posted goes to the address of the config and to no other;
 * a file of results may lie elsewhere.
 * @param files path under which files are fetched, whose reader bounds them line by line
 */
export function boundedFetch(files: RegExp): typeof fetch {
  return async (url, init) => {
    const posted = init?.method?.toUpperCase() === "POST";
    const response = await fetch(url, { ...init, redirect: posted ? "error" : "follow" });
    if (response.ok && files.test(String(url))) return response;
    return bounded(response, response.ok ? LONGEST : LONGEST_ERROR);
  };
}

function bounded(response: Response, longest: number): Response {
  if (response.body === null || BARE.includes(response.status)) return response;
  let length = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, out) {
      length += piece.length;
      if (length <= longest) return out.enqueue(piece);
      // Of an error its beginning tells enough.
      if (!response.ok) return out.terminate();
      out.error(new ProviderError("malformed", `a reply of over ${longest} bytes`, response.status));
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
}
