import type { EditorState } from '@tiptap/pm/state';

/**
 * Text before the caret that opens the completion menu: `/` to insert a block or `[[` to link a note, and the letters
 * typed after it, if any.
 */
export interface CompletionTrigger {
  readonly kind: 'block' | 'note';
  readonly query: string;
  /** Start and end of the typed characters in the document, such as `/tab` or `[[Tit`. */
  readonly from: number;
  readonly to: number;
}

/** Number of characters before the caret that are searched for `/` (inserts a block) or `[[` (links a note). */
const reach = 80;

const block = /(?:^|\s)(\/([\p{L}\p{N}]{0,20}))$/u;
const note = /(\[\[([^[\]]{0,60}))$/u;

export function completionTriggerAt({ selection }: EditorState): CompletionTrigger | undefined {
  const { $from, empty } = selection;
  if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code) return undefined;
  const before = $from.parent.textBetween(
    Math.max(0, $from.parentOffset - reach),
    $from.parentOffset,
    undefined,
    '\ufffc',
  );
  for (const [kind, pattern] of [
    ['note', note],
    ['block', block],
  ] as const) {
    const found = pattern.exec(before);
    if (found) return { kind, query: found[2]!, from: $from.pos - found[1]!.length, to: $from.pos };
  }
  return undefined;
}
