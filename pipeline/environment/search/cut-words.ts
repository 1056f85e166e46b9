/** As much of a query as a service takes, in whole words where there are any: it would refuse all of a longer one. */
export function cutWords(query: string, words: number, characters: number): string {
  let cut = "";
  for (const word of query.trim().split(/\s+/).slice(0, words)) {
    const longer = cut === "" ? word.slice(0, characters) : `${cut} ${word}`;
    if (longer.length > characters) break;
    cut = longer;
  }
  return cut.replace(/\p{Surrogate}$/u, "");
}
