import { findCard } from "../../../sources/cards.js";
import { fetchSnapshot } from "../../../sources/fetch/fetch.js";

/** Fetches a card until it is done or killed: `node child.mjs CARD`. */
const result = await fetchSnapshot(await findCard(process.argv[2]!, "."), {
  allowPrivate: true,
  signal: new AbortController().signal,
});
console.log(JSON.stringify(result));
