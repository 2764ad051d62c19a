import { Fragment, Slice, type Node } from '@tiptap/pm/model';
import { TextSelection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import type { FormatTool } from './format-bar.tsx';

/** Tools available in a table cell. A cell can contain only text and line breaks, but no blocks. */
const cellTools: readonly FormatTool[] = ['undo', 'redo', 'bold', 'italic', 'strike', 'code', 'link'];

export function isCellTool(tool: FormatTool): boolean {
  return cellTools.includes(tool);
}

/**
 * Pastes blocks into a table cell as text with line breaks. Returns false, and does nothing, if the caret is not in a
 * cell, or if the pasted content is only a table, a single paragraph or inline text.
 */
export function pasteIntoCell(view: EditorView, slice: Slice): boolean {
  const { selection, schema, tr } = view.state;
  const isInCell = selection instanceof TextSelection && selection.$from.node(-1)?.type.spec['tableRole'] !== undefined;
  const first = slice.content.firstChild;
  // If the clipboard contains only a table, leave it to the editor, which pastes a table cell by cell.
  const isTable = slice.content.childCount === 1 && first?.type.spec['tableRole'] !== undefined;
  const isOneLine = slice.content.childCount === 1 && first?.type.name === 'paragraph';
  if (!isInCell || isTable || isOneLine || first?.isInline !== false) return false;
  const lines: Node[][] = [];
  slice.content.descendants((node) => {
    if (node.type.name === 'image')
      lines.push([schema.text((node.attrs['alt'] as string) || (node.attrs['src'] as string))]);
    if (!node.isTextblock) return true;
    if (node.type.spec.code)
      lines.push(...node.textContent.split('\n').map((line) => (line === '' ? [] : [schema.text(line)])));
    else lines.push([...node.children]);
    return false;
  });
  const words = lines.flatMap((line, index) => (index === 0 ? line : [schema.nodes['hardBreak']!.create(), ...line]));
  view.dispatch(
    tr
      .replaceSelection(new Slice(Fragment.from(words), 0, 0))
      .scrollIntoView()
      .setMeta('paste', true),
  );
  return true;
}

const blocks = 'p, div, ul, ol, li, h1, h2, h3, h4, h5, h6, blockquote, pre, hr, table, tbody, thead, tr, td, th';

/**
 * Reduces table cells in pasted HTML to text and line breaks. Otherwise the editor would move a list out of its cell
 * and split the table.
 */
export function flattenTableCells(html: string): string {
  if (!/<t[dh]\b/i.test(html)) return html;
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const cell of body.querySelectorAll('td, th')) {
    if (cell.parentElement?.closest('td, th')) continue;
    for (const block of cell.querySelectorAll(blocks)) {
      const isFirst = block.previousSibling === null || block.previousElementSibling?.tagName === 'BR';
      block.replaceWith(...(isFirst ? [] : [document.createElement('br')]), ...block.childNodes);
    }
    for (const image of cell.querySelectorAll('img')) image.replaceWith(image.alt);
  }
  return body.innerHTML;
}
