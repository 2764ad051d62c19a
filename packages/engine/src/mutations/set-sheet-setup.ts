import type { SheetSetup } from '../document/objects/passthrough.ts';
import { undoWhenApart } from './affected-parts.ts';
import { defineMutation, type MutationKind } from './define-mutation.ts';

interface SetSetup {
  readonly sheet: string;
  /** The complete new settings; they replace all current ones. */
  readonly setup: SheetSetup;
}

/** Sets the properties of a whole sub-sheet: visibility, tab color, zoom, gridlines, default sizes. */
export const setSetup: MutationKind<SetSetup> = defineMutation({
  type: 46,
  name: 'set_setup',
  scope: 'objects',
  touches: ({ sheet }) => [{ sheet, object: 'setup' }],
  isNoOp: ({ sheet, setup }, document) => JSON.stringify(document.subSheet(sheet).setup) === JSON.stringify(setup),
  beside: undoWhenApart,
  apply: (document, { sheet, setup }) => {
    const sub = document.subSheet(sheet);
    const undo = setSetup.of({ sheet, setup: sub.setup });
    sub.setup = setup;
    document.looksChanged = true;
    return [undo];
  },
});
