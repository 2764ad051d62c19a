import type { Protection } from '../document/objects/objects.ts';
import { needIndex } from './lists.ts';
import { alwaysChanges, besideLater } from './facts.ts';
import { defineMutation, type MutationKind } from './mutation.ts';
import { putProtect } from './put-protect.ts';

export interface RemoveProtect {
  readonly sheet: string;
  readonly id: string;
}

export const removeProtect: MutationKind<RemoveProtect> = defineMutation({
  type: 33,
  name: 'remove_protect',
  scope: 'objects',
  // Who may remove a protection is decided by the tools that do.
  touches: ({ id }) => [{ object: `protection ${id}` }],
  isNoOp: alwaysChanges,
  beside: besideLater,
  apply: (document, { sheet, id }) => {
    const sub = document.subSheet(sheet);
    const at = needIndex(sub.protections, id, 'protected range');
    const protection = sub.protections[at] as Protection;
    sub.protections = sub.protections.toSpliced(at, 1);
    return [putProtect.of({ sheet, protection, at })];
  },
});
