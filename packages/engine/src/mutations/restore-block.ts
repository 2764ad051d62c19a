import {
  capture,
  eraseContents,
  prepareContents,
  writeContents,
  type Contents,
} from '../document/objects/cell-contents.ts';
import { checkRegion, rectOf, type Region } from '../document/objects/rect.ts';
import { checkWholeArrays } from './array-formula-checks.ts';
import { removeLinksAndRichText } from './remove-links-and-rich-text.ts';
import { neverNoOp, undoWhenApart } from './affected-parts.ts';
import { growGrid } from './set-grid.ts';
import { defineMutation, type Mutation, type MutationKind } from './define-mutation.ts';

interface RestoreBlock extends Contents {
  readonly sheet: string;
  readonly region: Region;
  /** If set, the cells keep their links and rich text. Otherwise these are removed. */
  readonly keepLinks?: true;
}

/** Sets the exact contents of a region: cells that are not listed become blank. */
export const restoreBlock: MutationKind<RestoreBlock> = defineMutation({
  type: 36,
  name: 'restore_block',
  scope: 'cells',
  touches: ({ sheet, region }) => [{ sheet, rect: rectOf(region), writesFormulas: true, writesContents: true }],
  isNoOp: neverNoOp,
  beside: undoWhenApart,
  apply: (document, data) => {
    const sub = document.subSheet(data.sheet);
    const rect = checkRegion(data.region);
    const prepared = prepareContents(document, data, sub);
    checkWholeArrays(document, sub, [rect, ...prepared.rects]);
    const undo: Mutation[] = [
      restoreBlock.of({
        sheet: data.sheet,
        region: data.region,
        ...capture(document, sub, rect),
        ...(data.keepLinks ? { keepLinks: true as const } : {}),
      }),
    ];
    if (!data.keepLinks) undo.push(...removeLinksAndRichText(sub, [rect]));
    eraseContents(document, sub, rect);
    writeContents(document, sub, prepared);
    undo.push(...growGrid(sub, prepared.lastRow, prepared.lastCol));
    return undo;
  },
});
