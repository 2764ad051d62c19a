import type { Editor } from '@tiptap/react';
import { Slice, type Node } from '@tiptap/pm/model';
import type { EditorView } from '@tiptap/pm/view';
import { pasteIntoCell } from './table-cell-content.ts';
import { noteMarkdown } from './editor-extensions.ts';
import { isStyledPlainText, looksLikeMarkdown } from './detect-markdown.ts';
import { imageFilesIn } from './image-files.ts';
import { uploadImages, type ImageMessages } from './image-upload.ts';
import { isCheapToParse } from './parse-cost.ts';

/** Parses pasted Markdown. Returns undefined if the text does not look like Markdown or may be slow to parse. */
export function parseMarkdownSlice(editor: Editor, text: string): Slice | undefined {
  if (!looksLikeMarkdown(text) || !isCheapToParse(text)) return undefined;
  const blocks = editor.schema.nodeFromJSON(noteMarkdown.parse(text.replaceAll('\r\n', '\n'))).content;
  // If the first or last block is a paragraph, its text continues the line at the paste position. Other blocks stay
  // separate.
  const isOpen = (node: Node | null): 0 | 1 => (node?.type.name === 'paragraph' ? 1 : 0);
  return new Slice(blocks, isOpen(blocks.firstChild), isOpen(blocks.lastChild));
}

/**
 * Handles a paste of images, or of Markdown source that a program copied as styled HTML. Returns false for other
 * content, which the editor pastes itself.
 */
export function pasteIntoEditor(
  editor: Editor,
  view: EditorView,
  event: ClipboardEvent,
  texts: ImageMessages,
): boolean {
  const data = event.clipboardData;
  if (!data) return false;
  const plain = data.getData('text/plain');
  const pictures = imageFilesIn(data);
  // Images are ignored if there is text, because office programs add an image of the copied text.
  if (pictures.length > 0 && plain === '') {
    void uploadImages(pictures, texts, (added) => insertImages(editor, added));
    return true;
  }
  const html = data.getData('text/html');
  if (html === '' || !isStyledPlainText(html) || view.state.selection.$from.parent.type.spec.code) return false;
  const slice = parseMarkdownSlice(editor, plain);
  if (!slice) return false;
  if (pasteIntoCell(view, slice)) return true;
  view.dispatch(
    view.state.tr.replaceSelection(slice).scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste'),
  );
  return true;
}

/** Uploads dropped images and inserts them at the drop position. Returns false if nothing dropped is an image. */
export function dropIntoEditor(editor: Editor, view: EditorView, event: DragEvent, texts: ImageMessages): boolean {
  const pictures = event.dataTransfer ? imageFilesIn(event.dataTransfer) : [];
  if (pictures.length === 0) return false;
  event.preventDefault();
  const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
  if (at) editor.commands.setTextSelection(at.pos);
  void uploadImages(pictures, texts, (added) => insertImages(editor, added));
  return true;
}

export function insertImages(editor: Editor, pictures: readonly { src: string; alt: string }[]): void {
  if (editor.isDestroyed) return;
  const nodes = pictures.map((attrs) => ({ type: 'image', attrs }));
  const { $from } = editor.state.selection;
  const depth = Array.from({ length: $from.depth }, (_, index) => index + 1).find(
    (each) => $from.node(each).type.name === 'table',
  );
  // If the caret is in a table, the image is inserted below the table, because a cell cannot contain an image.
  if (depth === undefined) editor.chain().focus().insertContent(nodes).run();
  else editor.chain().focus().insertContentAt($from.after(depth), nodes).run();
}
