const contextLines = 2;
/**
 * Maximum number of changed lines for which the shortest difference is computed. If more lines changed, all lines
 * between the common start and the common end count as changed.
 */
const maxEdits = 1500;

interface Line {
  kind: ' ' | '-' | '+';
  text: string;
}

/** Returns a unified diff of two texts; '' if they are equal. */
export function diffText(before: string, after: string): string {
  if (before === after) return '';
  const lines = diffLines(before.split('\n'), after.split('\n'));
  return hunks(lines).join('\n');
}

function diffLines(old: readonly string[], now: readonly string[]): Line[] {
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const same = (texts: readonly string[]): Line[] => texts.map((text) => ({ kind: ' ', text }));
  return [
    ...same(old.slice(0, head)),
    ...diffMiddle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...same(old.slice(old.length - tail)),
  ];
}

/**
 * Finds a shortest list of kept, removed and added lines with the greedy algorithm of Myers. If more than `maxEdits`
 * lines differ, returns all old lines as removed and all new lines as added.
 */
function diffMiddle(old: readonly string[], now: readonly string[]): Line[] {
  const changed = (): Line[] => [
    ...old.map((text): Line => ({ kind: '-', text })),
    ...now.map((text): Line => ({ kind: '+', text })),
  ];
  if (old.length === 0 || now.length === 0) return changed();
  const limit = Math.min(maxEdits, old.length + now.length);
  const trace: Int32Array[] = [];
  const reach = new Int32Array(2 * limit + 3);
  const middle = limit + 1;
  for (let edits = 0; edits <= limit; edits++) {
    trace.push(reach.slice(middle - edits - 1, middle + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const isDown =
        diagonal === -edits || (diagonal !== edits && reach[middle + diagonal - 1]! < reach[middle + diagonal + 1]!);
      let x = isDown ? reach[middle + diagonal + 1]! : reach[middle + diagonal - 1]! + 1;
      while (x < old.length && x - diagonal < now.length && old[x] === now[x - diagonal]) x += 1;
      reach[middle + diagonal] = x;
      if (x >= old.length && x - diagonal >= now.length) return backtrack(trace, old, now);
    }
  }
  return changed();
}

/**
 * Returns the kept, removed and added lines on the shortest path that the search found. A diagonal is a difference
 * between a position in `old` and one in `now`. `trace[n]` contains how far in `old` the search got on each diagonal
 * before the edit number n. The function follows these entries from the end of both texts back to the start.
 */
function backtrack(trace: readonly Int32Array[], old: readonly string[], now: readonly string[]): Line[] {
  const lines: Line[] = [];
  let x = old.length;
  let y = now.length;
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits]!;
    const at = (diagonal: number): number => reach[diagonal + edits + 1]!;
    const diagonal = x - y;
    const isDown = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
    const from = isDown ? diagonal + 1 : diagonal - 1;
    const fromX = edits === 0 ? 0 : at(from);
    const fromY = fromX - from;
    while (x > (edits === 0 ? 0 : fromX) && y > (edits === 0 ? 0 : fromY) && old[x - 1] === now[y - 1]) {
      lines.push({ kind: ' ', text: old[x - 1]! });
      x -= 1;
      y -= 1;
    }
    if (edits === 0) break;
    lines.push(isDown ? { kind: '+', text: now[y - 1]! } : { kind: '-', text: old[x - 1]! });
    x = fromX;
    y = fromY;
  }
  return lines.reverse();
}

/**
 * Returns the changed lines with two unchanged lines before and after them, in groups. Each group begins with a header
 * that contains its line numbers.
 */
function hunks(lines: readonly Line[]): string[] {
  const isNear = new Uint8Array(lines.length);
  lines.forEach(({ kind }, index) => {
    if (kind !== ' ') isNear.fill(1, Math.max(0, index - contextLines), index + contextLines + 1);
  });
  const result: string[] = [];
  let old = 1;
  let now = 1;
  for (let at = 0; at < lines.length; at++) {
    if (isNear[at]) {
      if (!isNear[at - 1]) result.push(hunkHeader(lines, isNear, at, old, now));
      result.push(lines[at]!.kind + lines[at]!.text);
    }
    if (lines[at]!.kind !== '+') old += 1;
    if (lines[at]!.kind !== '-') now += 1;
  }
  return result;
}

function hunkHeader(lines: readonly Line[], isNear: Uint8Array, from: number, old: number, now: number): string {
  let to = from;
  while (to < lines.length && isNear[to]) to += 1;
  const count = (without: Line['kind']): number => lines.slice(from, to).filter(({ kind }) => kind !== without).length;
  return `@@ -${old},${count('+')} +${now},${count('-')} @@`;
}
