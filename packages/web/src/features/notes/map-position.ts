import { matchLines } from './three-way-merge.ts';

/** Maximum number of characters compared before and after a position. */
const maxCompared = 200;

/**
 * Returns where the position `place` of the old text is in the changed text: between the same characters, or else where
 * the surroundings are most similar. Text inserted exactly at the position ends up after it.
 */
export function mapTextPosition(before: string, after: string, place: number): number {
  const shorter = Math.min(before.length, after.length);
  const head = commonHead(before, after, 0, 0, shorter);
  if (place <= head) return place;
  const tail = commonTail(before, after, before.length, after.length, shorter - head);
  if (place > before.length - tail) return place + after.length - before.length;
  const toStart = place - (before.lastIndexOf('\n', place - 1) + 1);
  const next = before.indexOf('\n', place);
  const toEnd = (next < 0 ? before.length : next) - place;
  let found = head;
  let most = 0;
  for (let at = head; at <= after.length - tail; at++) {
    const left = commonTail(before, after, place, at, maxCompared);
    const right = commonHead(before, after, place, at, maxCompared);
    // Characters of other lines count much less. They only decide between positions with the same surroundings in their
    // line.
    const similarity = 1000 * (Math.min(left, toStart) + Math.min(right, toEnd)) + left + right;
    if (similarity <= most) continue;
    most = similarity;
    found = at;
  }
  return found;
}

/**
 * Returns where a caret at `place` belongs after a text of several lines was changed. In a line that still exists, the
 * caret keeps its column.
 */
export function mapCaret(before: string, after: string, place: number): number {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const line = before.slice(0, place).split('\n').length - 1;
  const matched = matchLines(old, now).get(line);
  if (matched === undefined) return mapTextPosition(before, after, place);
  return startOfLine(now, matched) + place - startOfLine(old, line);
}

const startOfLine = (lines: readonly string[], line: number): number =>
  lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0);

/** Returns the length of the common text that begins at `atA` in `a` and at `atB` in `b`, at most `max`. */
function commonHead(a: string, b: string, atA: number, atB: number, max: number): number {
  const end = Math.min(max, a.length - atA, b.length - atB);
  let length = 0;
  while (length < end && a.charCodeAt(atA + length) === b.charCodeAt(atB + length)) length += 1;
  return length;
}

/** Returns the length of the common text that ends at `atA` in `a` and at `atB` in `b`, at most `max`. */
function commonTail(a: string, b: string, atA: number, atB: number, max: number): number {
  const end = Math.min(max, atA, atB);
  let length = 0;
  while (length < end && a.charCodeAt(atA - 1 - length) === b.charCodeAt(atB - 1 - length)) length += 1;
  return length;
}
