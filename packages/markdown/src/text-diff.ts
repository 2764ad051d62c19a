/** An edit that replaces `remove` characters at `at`, a position in the text before all edits, with `insert`. */
export interface TextEdit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

/**
 * Maximum number of added and removed lines that are matched individually. With more differences, the text between the
 * first and the last difference is replaced as a whole.
 */
const maxChangedLines = 400;

/**
 * Returns the edits, in ascending order, that turn `before` into `after`, without splitting surrogate pairs. Lines are
 * matched first, and each edit is then reduced to the characters that differ.
 * If an insertion or deletion is ambiguous, as with one of two equal letters, the single edit is chosen that ends at
 * `caret`, a position in `after`.
 */
export function diffTexts(before: string, after: string, caret?: number): TextEdit[] {
  return diffLines(before, after, caret, (edit) => [trimEdit(before, edit)]);
}

/**
 * Maximum number of characters in changed lines that are compared word by word. It bounds the time for texts that have
 * little in common.
 */
const maxComparedByWords = 50_000;

/**
 * Works like `diffTexts`, but splits changed lines that share most of their words into edits of single words.
 * Concurrent edits of other words in these lines are then preserved when both versions are merged.
 */
export function diffWords(before: string, after: string, caret?: number): TextEdit[] {
  let left = maxComparedByWords;
  return diffLines(before, after, caret, (edit) => {
    left -= edit.remove + edit.insert.length;
    if (left < 0) return [trimEdit(before, edit)];
    const [removed, added] = [splitLines(before.slice(edit.at, edit.at + edit.remove)), splitLines(edit.insert)];
    const kept = matchLines(removed.map(withoutLayout), added.map(withoutLayout)) ?? [];
    return compareParts(edit.at, { removed, added, kept, hasSameKept: false }).flatMap((part) =>
      splitEdit(before, part),
    );
  });
}

type SplitEdit = (edit: TextEdit) => readonly TextEdit[];

/**
 * Computes the edits that replace whole changed lines, and returns the smaller edits that `split` makes of each. If one
 * edit that ends at the caret explains the whole change, returns that edit instead.
 */
function diffLines(before: string, after: string, caret: number | undefined, split: SplitEdit): TextEdit[] {
  if (before === after) return [];
  const atCaret = caret === undefined ? undefined : editBefore(before, after, caret);
  if (atCaret) return [atCaret];
  const whole = wholeLines(before, trimEdit(before, { at: 0, remove: before.length, insert: after }));
  const removed = splitLines(before.slice(whole.at, whole.at + whole.remove));
  const added = splitLines(whole.insert);
  const kept = matchLines(removed, added);
  if (!kept) return [trimEdit(before, whole)];
  return compareParts(whole.at, { removed, added, kept, hasSameKept: true }).flatMap(split);
}

interface Compared {
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Pairs of matched parts (lines or words), as indexes into `removed` and `added`, in ascending order. */
  readonly kept: readonly (readonly [number, number])[];
  /** True if the two parts of every pair in `kept` are equal; otherwise a pair may hold two similar parts. */
  readonly hasSameKept: boolean;
}

/**
 * Returns edits that replace the parts between matched pairs, and the old part of a pair by the new one if they differ.
 */
function compareParts(start: number, { removed, added, kept, hasSameKept }: Compared): TextEdit[] {
  const edits: TextEdit[] = [];
  let [part, newPart, at] = [0, 0, start];
  for (const [old, now] of [...kept, [removed.length, added.length] as const]) {
    const gone = removed.slice(part, old).join('');
    const insert = added.slice(newPart, now).join('');
    if (gone !== insert) edits.push({ at, remove: gone.length, insert });
    at += gone.length;
    const [before = '', after = ''] = [removed[old], added[now]];
    if (!hasSameKept && before !== after) edits.push({ at, remove: before.length, insert: after });
    at += before.length;
    [part, newPart] = [old + 1, now + 1];
  }
  return edits;
}

/**
 * Shortens runs of spaces and dashes in a line to one character, because their lengths change when the columns of a
 * Markdown table are aligned again.
 */
const withoutLayout = (line: string): string =>
  line
    .replace(/[ \t]+/g, ' ')
    .replace(/-+/g, '-')
    .trimEnd();

/**
 * Matches a word, a run of spaces or dashes, or a single other character. In scripts without spaces every character is
 * a word.
 */
const tokens =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}]+|[ \t]+|-+|[^]/gu;
const splitTokens = (text: string): string[] => text.match(tokens) ?? [];
const isWord = /^[\p{L}\p{N}]/u;

/**
 * Splits an edit of lines into edits of words. If the number of lines is unchanged, the lines are compared pair by
 * pair.
 */
function splitEdit(text: string, edit: TextEdit): TextEdit[] {
  const [lines, others] = [splitLines(text.slice(edit.at, edit.at + edit.remove)), splitLines(edit.insert)];
  if (lines.length > 1 && lines.length === others.length) {
    let { at } = edit;
    return lines.flatMap((line, index) => {
      const one = { at, remove: line.length, insert: others[index]! };
      at += line.length;
      return line === one.insert ? [] : splitEdit(text, one);
    });
  }
  const [removed, added] = [splitTokens(lines.join('')), splitTokens(others.join(''))];
  const kept = matchLines(removed, added);
  const words = (found: readonly string[]): number =>
    found.reduce((sum, token) => sum + (isWord.test(token) ? token.length : 0), 0);
  const common = words(kept?.map(([old]) => removed[old]!) ?? []);
  if (!kept || 2 * common < Math.max(words(removed), words(added))) return [trimEdit(text, edit)];
  return compareParts(edit.at, { removed, added, kept, hasSameKept: true }).map((part) => trimEdit(text, part));
}

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let end = 0;
  for (const { at, remove, insert } of edits) {
    result += text.slice(end, at) + insert;
    end = at + remove;
  }
  return result + text.slice(end);
}

/**
 * Returns the single edit that ends at the caret and turns `before` into `after`. Returns undefined if the texts differ
 * after the caret.
 */
function editBefore(before: string, after: string, caret: number): TextEdit | undefined {
  const tail = after.length - caret;
  if (tail < 0 || tail > before.length || !before.endsWith(after.slice(caret))) return undefined;
  if (isLowSurrogate(after.charCodeAt(caret)) || isLowSurrogate(before.charCodeAt(before.length - tail)))
    return undefined;
  const edit = { at: 0, remove: before.length - tail, insert: after.slice(0, caret) };
  const head = commonHead(before, edit);
  return { at: head, remove: edit.remove - head, insert: edit.insert.slice(head) };
}

/**
 * Extends an edit to whole lines, so that a line inserted before a similar line is not treated as an insertion within a
 * line.
 */
function wholeLines(text: string, { at, remove, insert }: TextEdit): TextEdit {
  const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  const next = text.indexOf('\n', at + remove);
  const end = next < 0 ? text.length : next + 1;
  return { at: start, remove: end - start, insert: text.slice(start, at) + insert + text.slice(at + remove, end) };
}

const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Removes the characters from an edit's start and end that it would delete and insert again. */
function trimEdit(text: string, { at, remove, insert }: TextEdit): TextEdit {
  const max = Math.min(remove, insert.length);
  const head = commonHead(text, { at, remove, insert });
  let tail = 0;
  while (tail < max - head && text.charCodeAt(at + remove - 1 - tail) === insert.charCodeAt(insert.length - 1 - tail))
    tail += 1;
  if (tail > 0 && isLowSurrogate(insert.charCodeAt(insert.length - tail))) tail -= 1;
  return { at: at + head, remove: remove - head - tail, insert: insert.slice(head, insert.length - tail) };
}

function commonHead(text: string, { at, remove, insert }: TextEdit): number {
  const max = Math.min(remove, insert.length);
  let head = 0;
  while (head < max && text.charCodeAt(at + head) === insert.charCodeAt(head)) head += 1;
  return head > 0 && isHighSurrogate(insert.charCodeAt(head - 1)) ? head - 1 : head;
}

const isHighSurrogate = (code: number): boolean => code >= 0xd8_00 && code <= 0xdb_ff;
const isLowSurrogate = (code: number): boolean => code >= 0xdc_00 && code <= 0xdf_ff;

/**
 * Matches equal lines with Myers' algorithm. Returns the pairs in ascending order, or undefined if more than
 * `maxChangedLines` lines differ.
 */
function matchLines(before: readonly string[], after: readonly string[]): (readonly [number, number])[] | undefined {
  const [rows, columns] = [before.length, after.length];
  const limit = Math.min(rows + columns, maxChangedLines);
  const offset = limit + 1;
  const reached = new Int32Array(2 * limit + 3);
  const trace: Int32Array[] = [];
  for (let changes = 0; changes <= limit; changes++) {
    trace.push(reached.slice(offset - changes - 1, offset + changes + 2));
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      const isDown =
        diagonal === -changes ||
        (diagonal !== changes && reached[offset + diagonal - 1]! < reached[offset + diagonal + 1]!);
      let row = isDown ? reached[offset + diagonal + 1]! : reached[offset + diagonal - 1]! + 1;
      while (row < rows && row - diagonal < columns && before[row] === after[row - diagonal]) row += 1;
      reached[offset + diagonal] = row;
      if (row >= rows && row - diagonal >= columns) return traceBack(trace, changes, rows, columns);
    }
  }
  return undefined;
}

function traceBack(
  trace: readonly Int32Array[],
  changes: number,
  rows: number,
  columns: number,
): (readonly [number, number])[] {
  const matches: (readonly [number, number])[] = [];
  let [row, column] = [rows, columns];
  for (let step = changes; step > 0; step--) {
    const reached = trace[step]!;
    const diagonal = row - column;
    const at = (other: number): number => reached[other + step + 1]!;
    const isDown = diagonal === -step || (diagonal !== step && at(diagonal - 1) < at(diagonal + 1));
    const previous = isDown ? diagonal + 1 : diagonal - 1;
    const [fromRow, fromColumn] = [at(previous), at(previous) - previous];
    while (row > fromRow && column > fromColumn) matches.push([--row, --column]);
    [row, column] = [fromRow, fromColumn];
  }
  while (row > 0 && column > 0) matches.push([--row, --column]);
  return matches.reverse();
}
