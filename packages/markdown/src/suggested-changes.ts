import { applyEdits, diffTexts, type TextEdit } from './text-diff.ts';

/** A single change of a suggestion. `at` is a position in the text on which the suggestion is based. */
export interface SuggestedChange extends TextEdit {
  readonly number: number;
  readonly state: 'open' | 'accepted' | 'rejected';
}

/** A change with its position in the text as it is now; undefined if the text there was changed since. */
export interface PlacedChange {
  readonly number: number;
  readonly at: number | undefined;
  readonly remove: number;
  readonly insert: string;
}

/** Letters and digits of scripts that separate words; others would extend a change over a whole sentence. */
const wordSign = /[\p{L}\p{M}\p{N}]/u;
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const maxWordLength = 40;

/** Derives the single changes of a suggestion from the two texts. Each is whole words, so that people can read it. */
export function suggestedChanges(before: string, after: string): SuggestedChange[] {
  return lineEdits(before, after).map((edit, index) => ({
    ...wholeWords(before, edit),
    number: index + 1,
    state: 'open',
  }));
}

/** Like diffTexts, but a last line that has no line break is the same line as one that has. */
function lineEdits(before: string, after: string): TextEdit[] {
  const edits = diffTexts(`${before}\n`, `${after}\n`);
  const last = edits.at(-1);
  if (!last || last.at + last.remove <= before.length) return edits;
  if (last.remove > 0 || !last.insert.endsWith('\n')) return diffTexts(before, after);
  return [...edits.slice(0, -1), { at: before.length, remove: 0, insert: `\n${last.insert.slice(0, -1)}` }];
}

/** Extends an edit that begins or ends within a word to that word. Edits are in different lines, so they stay apart. */
export function wholeWords(text: string, { at, remove, insert }: TextEdit): TextEdit {
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

/** Half of a surrogate pair is none, so that no pair is split. */
function isWordSign(sign: string): boolean {
  return wordSign.test(sign) && !unspaced.test(sign);
}

/**
 * Finds the changes of a suggestion in the text as it is now. An accepted change comes as the edit that takes it back,
 * any other as the edit that makes it.
 */
export function placeSuggested(base: string, current: string, changes: readonly SuggestedChange[]): PlacedChange[] {
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

/** Applies changes to the text as it is now. Returns the number of the first one that has no place, if there is one. */
export function applyPlaced(current: string, changes: readonly PlacedChange[]): { text: string } | { stale: number } {
  let text = '';
  let end = 0;
  for (const { number, at, remove, insert } of changes) {
    if (at === undefined || at < end) return { stale: number };
    text += current.slice(end, at) + insert;
    end = at + remove;
  }
  return { text: text + current.slice(end) };
}

/** Returns where the edit is in the changed text; undefined if a change touches what it removes or the place it is at. */
function placeOf({ at, remove, insert }: TextEdit, changes: readonly TextEdit[]): number | undefined {
  // Whole lines that are added stand on their own: a change of the line next to them does not concern them.
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
