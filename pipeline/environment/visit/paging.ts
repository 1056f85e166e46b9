/** Text cut into pages of at most `size` characters, at the ends of lines; a table that goes on has its head again. */
export function pagesOf(text: string, size: number): string[] {
  const pages: string[] = [];
  let page: string[] = [];
  let length = 0;
  let head: readonly string[] = [];
  let before = "";
  const end = (): void => {
    const whole = page.join("\n").trim();
    if (whole !== "") pages.push(whole);
    page = [];
    length = 0;
  };
  for (const line of text.split("\n").flatMap((l) => pieces(l, size))) {
    if (/^\|(?: --- \|)+$/.test(line)) head = [before, line];
    else if (!line.startsWith("|")) head = [];
    if (length + line.length + 1 > size) {
      end();
      const again =
        head.length > 0 && line !== head[1] && head[0]!.length + head[1]!.length < size / 4 ? head : [];
      if (again.join("\n").length + line.length + 2 <= size)
        for (const repeated of again) {
          page.push(repeated);
          length += repeated.length + 1;
        }
    }
    page.push(line);
    length += line.length + 1;
    before = line;
  }
  end();
  return pages;
}

/** A line that fits no page, in pieces: between words where it has any. */
function pieces(line: string, size: number): string[] {
  const parts: string[] = [];
  let from = 0;
  while (line.length - from > size - 1) {
    let to = from + size - 1;
    const space = line.lastIndexOf(" ", to);
    if (space > from + size / 2) to = space;
    else if (/[\ud800-\udbff]/.test(line[to - 1]!)) to--;
    parts.push(line.slice(from, to));
    from = line[to] === " " ? to + 1 : to;
  }
  parts.push(line.slice(from));
  return parts;
}
