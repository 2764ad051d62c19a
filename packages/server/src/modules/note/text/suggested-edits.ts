import { diffTexts, type TextEdit } from '@sheaf/markdown/text-diff';

/** A single change of a suggestion. `at` is a position in the text on which the suggestion is based. */
export interface SuggestedEdit extends TextEdit {
  readonly number: number;
  readonly state: 'open' | 'accepted' | 'rejected';
}

export function suggestedEdits(before: string, after: string): SuggestedEdit[] {
  return diffTexts(before, after).map((edit, index) => ({ ...edit, number: index + 1, state: 'open' }));
}

/**
 * Applies edits of a suggestion to the text as it is now. Returns the number of the first edit whose place was changed
 * since the suggestion was made, instead of overwriting what others wrote.
 */
export function applySuggested(
  base: string,
  current: string,
  edits: readonly SuggestedEdit[],
): { text: string } | { stale: number } {
  const changes = diffTexts(base, current);
  let text = '';
  let end = 0;
  for (const edit of edits) {
    const at = placeOf(edit, changes);
    if (at === undefined || at < end) return { stale: edit.number };
    text += current.slice(end, at) + edit.insert;
    end = at + edit.remove;
  }
  return { text: text + current.slice(end) };
}

/** Returns where the edit is in the changed text; undefined if a change touches what it removes or the place it is at. */
function placeOf({ at, remove }: TextEdit, changes: readonly TextEdit[]): number | undefined {
  let shift = 0;
  for (const change of changes) {
    if (change.at + change.remove < at) shift += change.insert.length - change.remove;
    else if (change.at <= at + remove) return undefined;
  }
  return at + shift;
}
