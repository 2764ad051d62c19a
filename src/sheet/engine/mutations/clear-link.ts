import type { Link } from '../document/objects/objects.ts';
import { alwaysChanges, besideOthers, touchesCells } from './facts.ts';
import { defineMutation, type MutationKind } from './mutation.ts';
import { setLink } from './set-link.ts';

export interface ClearLink {
  readonly sheet: string;
  readonly cells: readonly (readonly [row: number, col: number])[];
}

/** Takes links off cells; their text stays. */
export const clearLink: MutationKind<ClearLink> = defineMutation({
  type: 21,
  name: 'clear_link',
  scope: 'cells',
  touches: ({ sheet, cells }) => touchesCells(sheet, cells),
  isNoOp: alwaysChanges,
  beside: besideOthers,
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
