import { matchLines } from './three-way-merge.ts';

export interface DiffLine {
  kind: 'same' | 'added' | 'removed' | 'folded';
  /**
   * Text of the line. An entry of kind `folded` stands for several unchanged lines that are not shown; its text is
   * their number.
   */
  text: string;
}

/** Number of unchanged lines shown before and after a change. */
const contextLines = 3;

/** Returns the line diff of two texts. At each position, removed lines come before added lines. */
export function diffLines(before: string, after: string): DiffLine[] {
  const oldLines = before === '' ? [] : before.split('\n');
  const newLines = after === '' ? [] : after.split('\n');
  const stayed = matchLines(oldLines, newLines);
  const lines: DiffLine[] = [];
  let next = 0;
  const addUntil = (end: number): void => {
    for (; next < end; next++) lines.push({ kind: 'added', text: newLines[next]! });
  };
  let removed: string[] = [];
  const flush = (end: number): void => {
    for (const text of removed) lines.push({ kind: 'removed', text });
    removed = [];
    addUntil(end);
  };
  oldLines.forEach((text, at) => {
    const to = stayed.get(at);
    if (to === undefined) {
      removed.push(text);
      return;
    }
    flush(to);
    lines.push({ kind: 'same', text });
    next = to + 1;
  });
  flush(newLines.length);
  return foldUnchanged(lines);
}

/**
 * Replaces the middle of each long section of unchanged lines by one entry of kind `folded` with the number of hidden
 * lines.
 */
function foldUnchanged(lines: readonly DiffLine[]): DiffLine[] {
  const result: DiffLine[] = [];
  for (let at = 0; at < lines.length;) {
    if (lines[at]!.kind !== 'same') {
      result.push(lines[at++]!);
      continue;
    }
    let end = at;
    while (lines[end]?.kind === 'same') end += 1;
    const head = at === 0 ? 0 : contextLines;
    const tail = end === lines.length ? 0 : contextLines;
    const hidden = end - at - head - tail;
    if (hidden < 2) result.push(...lines.slice(at, end));
    else {
      result.push(...lines.slice(at, at + head), { kind: 'folded', text: String(hidden) });
      result.push(...lines.slice(end - tail, end));
    }
    at = end;
  }
  return result;
}
