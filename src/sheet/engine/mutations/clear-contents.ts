import { capture, erase, isEmpty } from '../document/objects/contents.ts';
import { checkRegion, type Region } from '../document/objects/rect.ts';
import { defineMutation, type Mutation, type MutationKind } from './mutation.ts';
import { dropLinks } from './support.ts';
import { setValues } from './set-values.ts';

export interface ClearContents {
  readonly sheet: string;
  readonly region: Region;
  /** Links and rich text of the cells stay. */
  readonly keepLinks?: true;
}

/** Empties cells; styles stay, links and rich text go. */
export const clearContents: MutationKind<ClearContents> = defineMutation(
  3,
  'clear_contents',
  (document, { sheet, region, keepLinks }) => {
    const sub = document.subSheet(sheet);
    const rect = checkRegion(region);
    const old = capture(document, sub, rect);
    const undo: Mutation[] = isEmpty(old) ? [] : [setValues.of({ sheet, ...old, ...(keepLinks ? { keepLinks } : {}) })];
    if (!keepLinks) undo.push(...dropLinks(sub, [rect]));
    erase(document, sub, rect);
    return undo;
  },
);
