import type { EditorState } from '@tiptap/pm/state';
import { noteMarkdown } from './editor-extensions.ts';

/** A selection in a note, as character offsets in its Markdown. */
export interface MarkdownSelection {
  readonly markdown: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Private-use character that marks both ends of the selection in the document, so that they can be found again after
 * the document is converted to Markdown.
 */
const mark = '\ue000';

/** Returns the editor's selection as offsets in its Markdown, or undefined if the selection is not in text. */
export function selectionInMarkdown({ selection: { $from, $to }, tr }: EditorState): MarkdownSelection | undefined {
  if (!$from.parent.isTextblock || !$to.parent.isTextblock) return undefined;
  const written = noteMarkdown.serialize(tr.insertText(mark, $to.pos).insertText(mark, $from.pos).doc);
  const [from, to] = [written.indexOf(mark), written.lastIndexOf(mark) - 1];
  if (to < from) return undefined;
  return { markdown: written.replaceAll(mark, ''), from, to };
}
