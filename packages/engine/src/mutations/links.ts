import type { Link } from '../document/objects/sheet-objects.ts';
import { checkCell } from '../workbook/workbook-core.ts';
import { neverNoOp, undoWhenApart, touchesCells } from './affected-parts.ts';
import { growGrid } from './set-grid.ts';
import { defineMutation, type Mutation, type MutationKind } from './define-mutation.ts';

interface SetLink {
  readonly sheet: string;
  readonly links: readonly (readonly [row: number, col: number, link: Link])[];
}

/** Sets links on cells. The displayed text is the cell's own value. */
export const setLink: MutationKind<SetLink> = defineMutation({
  type: 20,
  name: 'set_link',
  scope: 'cells',
  touches: ({ sheet, links }) => touchesCells(sheet, links),
  isNoOp: neverNoOp,
  beside: undoWhenApart,
  apply: (document, { sheet, links }) => {
    const sub = document.subSheet(sheet);
    for (const [row, col] of links) checkCell(row, col);
    const old: [number, number, Link][] = [];
    const none: [number, number][] = [];
    for (const [row, col] of links) {
      const link = sub.links.get(row, col);
      if (link) old.push([row, col, link]);
      else none.push([row, col]);
    }
    const undo: Mutation[] = [];
    if (none.length > 0) undo.push(clearLink.of({ sheet, cells: none }));
    if (old.length > 0) undo.push(setLink.of({ sheet, links: old }));
    for (const [row, col, link] of links) {
      sub.links.set(row, col, link);
      undo.push(...growGrid(sub, row, col));
    }
    return undo;
  },
});

interface ClearLink {
  readonly sheet: string;
  readonly cells: readonly (readonly [row: number, col: number])[];
}

/** Removes links from cells and keeps the text of the cells. */
export const clearLink: MutationKind<ClearLink> = defineMutation({
  type: 21,
  name: 'clear_link',
  scope: 'cells',
  touches: ({ sheet, cells }) => touchesCells(sheet, cells),
  isNoOp: neverNoOp,
  beside: undoWhenApart,
  apply: (document, { sheet, cells }) => {
    const sub = document.subSheet(sheet);
    const old: [number, number, Link][] = [];
    for (const [row, col] of cells) {
      const link = sub.links.get(row, col);
      if (link) old.push([row, col, link]);
      sub.links.delete(row, col);
    }
    return old.length > 0 ? [setLink.of({ sheet, links: old })] : [];
  },
});
