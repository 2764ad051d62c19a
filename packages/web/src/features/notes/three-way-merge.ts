interface MergeResult {
  text: string;
  /**
   * False if the user and somebody else changed the same lines in ways that could not be combined. The text then
   * contains both variants, the user's variant first.
   */
  isClean: boolean;
}

export function mergeText(base: string, mine: string, theirs: string): MergeResult {
  const [baseLines, myLines, theirLines] = [base, mine, theirs].map((text) => text.split('\n')) as [
    string[],
    string[],
    string[],
  ];
  const inMine = matchLines(baseLines, myLines);
  const inTheirs = matchLines(baseLines, theirLines);
  const result: string[] = [];
  let isClean = true;
  let at = { base: 0, mine: 0, theirs: 0 };
  const between = (to: typeof at): void => {
    const old = baseLines.slice(at.base, to.base);
    const my = myLines.slice(at.mine, to.mine);
    const their = theirLines.slice(at.theirs, to.theirs);
    if (same(my, old)) result.push(...their);
    else if (same(their, old) || same(my, their)) result.push(...my);
    else {
      const woven = wrapAdditions(old, their, my) ?? wrapAdditions(old, my, their);
      result.push(...(woven ?? [...my, ...their]));
      isClean &&= woven !== undefined;
    }
  };
  for (let line = 0; line < baseLines.length; line++) {
    const my = inMine.get(line);
    const their = inTheirs.get(line);
    if (my === undefined || their === undefined) continue;
    between({ base: line, mine: my, theirs: their });
    result.push(baseLines[line]!);
    at = { base: line + 1, mine: my + 1, theirs: their + 1 };
  }
  between({ base: baseLines.length, mine: myLines.length, theirs: theirLines.length });
  return { text: result.join('\n'), isClean };
}

/**
 * Merges two changes of the same lines (`old`). One change replaced them by `changed`. The other only inserted lines
 * before or after them and resulted in `added`. Returns `changed` with the inserted lines around it, or undefined if
 * `added` does not contain the old lines.
 */
function wrapAdditions(
  old: readonly string[],
  added: readonly string[],
  changed: readonly string[],
): string[] | undefined {
  const at = added.findIndex((_, index) => same(added.slice(index, index + old.length), old));
  if (at < 0) return undefined;
  // A blank line at the end of `old` separates two paragraphs. If `changed` does not end with a blank line, add one
  // between it and the inserted lines that follow.
  const isParted = old.at(-1) !== '' || changed.at(-1) === '' || changed.length === 0;
  const after = added.slice(at + old.length);
  return [...added.slice(0, at), ...changed, ...(isParted || after.length === 0 ? [] : ['']), ...after];
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}

/**
 * Maximum number of cells in the comparison table, which has a row per old line and a column per new line. Larger
 * differences are treated as one change, so that a merge does not block typing.
 */
const maxCells = 4_000_000;

/** Maps the index of each line of `before` that still exists to its index in `after` (longest common subsequence). */
export function matchLines(before: readonly string[], after: readonly string[]): Map<number, number> {
  const found = new Map<number, number>();
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) {
    found.set(start, start);
    start += 1;
  }
  let tail = 0;
  while (
    tail < before.length - start &&
    tail < after.length - start &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail += 1;
    found.set(before.length - tail, after.length - tail);
  }
  const rows = before.length - start - tail;
  const columns = after.length - start - tail;
  if (rows > 0 && columns > 0 && rows * columns <= maxCells)
    longestCommon(before.slice(start, start + rows), after.slice(start, start + columns), (i, j) =>
      found.set(start + i, start + j),
    );
  return found;
}

function longestCommon(a: readonly string[], b: readonly string[], take: (i: number, j: number) => void): void {
  const width = b.length + 1;
  const length = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      length[i * width + j] =
        a[i] === b[j]
          ? length[(i + 1) * width + j + 1]! + 1
          : Math.max(length[(i + 1) * width + j]!, length[i * width + j + 1]!);
    }
  }
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) take(i++, j++);
    else if (length[(i + 1) * width + j]! >= length[i * width + j + 1]!) i++;
    else j++;
  }
}
