import { capture, eraseContents, isEmpty, isBlank } from '../document/objects/cell-contents.ts';
import { checkRegion, rectOf, type Region } from '../document/objects/rect.ts';
import { checkWholeArrays } from './array-formula-checks.ts';
import { removeLinksAndRichText } from './remove-links-and-rich-text.ts';
import { undoWhenApart } from './affected-parts.ts';
import { defineMutation, type Mutation, type MutationKind } from './define-mutation.ts';
import { setValues } from './set-values.ts';

interface ClearContents {
  readonly sheet: string;
  readonly region: Region;
  /** If set, links and rich text of the cells are kept. */
  readonly keepLinks?: true;
}

/** Clears values and formulas. Styles are kept; links and rich text are removed unless `keepLinks` is set. */
export const clearContents: MutationKind<ClearContents> = defineMutation({
  type: 3,
  name: 'clear_contents',
  scope: 'cells',
  touches: ({ sheet, region }) => [{ sheet, rect: rectOf(region), writesContents: true }],
  isNoOp: ({ sheet, region }, document) => isBlank(document.subSheet(sheet), rectOf(region)),
  beside: undoWhenApart,
  apply: (document, { sheet, region, keepLinks }) => {
    const sub = document.subSheet(sheet);
    const rect = checkRegion(region);
    checkWholeArrays(document, sub, [rect]);
    const old = capture(document, sub, rect);
    const undo: Mutation[] = isEmpty(old) ? [] : [setValues.of({ sheet, ...old, ...(keepLinks ? { keepLinks } : {}) })];
    if (!keepLinks) undo.push(...removeLinksAndRichText(sub, [rect]));
    eraseContents(document, sub, rect);
    return undo;
  },
});
