import { applyEdits, diffTexts, type TextEdit } from './text-diff.ts';

/**
 * One of the changes in a suggested edit of a note. `at` is a position in the text that the suggestion was made for.
 */
export interface SuggestedChange extends TextEdit {
  readonly number: number;
  readonly state: 'open' | 'accepted' | 'rejected';
}

/**
 * A suggested change with its position in the current text. `at` is undefined if the text at that position has changed.
 */
export interface LocatedChange {
  readonly number: number;
  readonly at: number | undefined;
  readonly remove: number;
  readonly insert: string;
}

/**
 * Matches letters, digits and combining marks. A change is extended over all such characters next to it. Scripts
 * without spaces are excluded by `unspaced`, because there the extended change would cover a whole sentence.
 */
const wordSign = /[\p{L}\p{M}\p{N}]/u;
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const maxWordLength = 40;

/** Computes the changes between two texts. Each change is extended to whole words, so that people can read it. */
export function computeSuggestedChanges(before: string, after: string): SuggestedChange[] {
  return lineEdits(before, after).map((edit, index) => ({
    ...extendToWholeWords(before, edit),
    number: index + 1,
    state: 'open',
  }));
}

/**
 * Computes a diff in which a missing line break at the end of the text does not count as a difference of the last line.
 */
function lineEdits(before: string, after: string): TextEdit[] {
  const edits = diffTexts(`${before}\n`, `${after}\n`);
  const last = edits.at(-1);
  if (!last || last.at + last.remove <= before.length) return edits;
  if (last.remove > 0 || !last.insert.endsWith('\n')) return diffTexts(before, after);
  return [...edits.slice(0, -1), { at: before.length, remove: 0, insert: `\n${last.insert.slice(0, -1)}` }];
}

/**
 * Extends an edit that begins or ends within a word to the whole word. Edits are in different lines, so extended edits
 * never overlap.
 */
export function extendToWholeWords(text: string, { at, remove, insert }: TextEdit): TextEdit {
  const end = at + remove;
  const removed = text.slice(at, end);
  let start = at;
  if (isWordSign(removed.slice(0, 1)) || isWordSign(insert.slice(0, 1)))
    while (at - start < maxWordLength && isWordSign(text.slice(start - 1, start))) start -= 1;
  let stop = end;
  if (isWordSign(removed.slice(-1)) || isWordSign(insert.slice(-1)))
    while (stop - end < maxWordLength && isWordSign(text.slice(stop, stop + 1))) stop += 1;
  return { at: start, remove: stop - start, insert: text.slice(start, at) + insert + text.slice(end, stop) };
}

/**
 * Returns whether a code unit is part of a word in a script with spaces. Half of a surrogate pair is not, so that no
 * pair is split.
 */
function isWordSign(sign: string): boolean {
  return wordSign.test(sign) && !unspaced.test(sign);
}

/**
 * Finds the position of each suggested change in the current text. For an accepted change the result is the edit that
 * reverts it; for any other, the edit that applies it.
 */
export function locateSuggestedChanges(
  base: string,
  current: string,
  changes: readonly SuggestedChange[],
): LocatedChange[] {
  const accepted = changes.filter(({ state }) => state === 'accepted');
  const later = diffTexts(applyEdits(base, accepted), current);
  let shift = 0;
  return changes.map(({ number, state, at, remove, insert }) => {
    const isMade = state === 'accepted';
    const edit = isMade
      ? { at: at + shift, remove: insert.length, insert: base.slice(at, at + remove) }
      : { at: at + shift, remove, insert };
    if (isMade) shift += insert.length - remove;
    return { ...edit, number, at: placeOf(edit, later) };
  });
}

/**
 * Applies changes to the current text. Returns the new text, or as `stale` the number of the first change that has no
 * valid position.
 */
export function applyLocatedChanges(
  current: string,
  changes: readonly LocatedChange[],
): { text: string } | { stale: number } {
  let text = '';
  let end = 0;
  for (const { number, at, remove, insert } of changes) {
    if (at === undefined || at < end) return { stale: number };
    text += current.slice(end, at) + insert;
    end = at + remove;
  }
  return { text: text + current.slice(end) };
}

/** Returns the position of an edit after `changes` were made, or undefined if a change overlaps or touches the edit. */
function placeOf({ at, remove, insert }: TextEdit, changes: readonly TextEdit[]): number | undefined {
  // An edit that only inserts whole lines is not affected by changes in the adjacent line.
  const isApartBefore = remove === 0 && insert.startsWith('\n');
  const isApartAfter = remove === 0 && insert.endsWith('\n');
  let shift = 0;
  for (const change of changes) {
    const end = change.at + change.remove;
    if (end < at || (end === at && isApartBefore)) shift += change.insert.length - change.remove;
    else if (change.at > at + remove || (change.at === at && isApartAfter)) break;
    else return undefined;
  }
  return at + shift;
}
