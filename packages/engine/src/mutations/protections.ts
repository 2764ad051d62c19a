import type { Protection } from '../document/objects/sheet-objects.ts';
import { checkRegion } from '../document/objects/rect.ts';
import { laterWhenApart, hasIdentical, alwaysChanges } from './touches.ts';
import { insertObject, requireIndex } from './object-lists.ts';
import { defineMutation, type MutationKind } from './mutation.ts';

export interface PutProtect {
  readonly sheet: string;
  /** Replaces the protection with the same id, if there is one. */
  readonly protection: Protection;
  /** Index among the protections; the end if absent. */
  readonly at?: number;
}

export const putProtect: MutationKind<PutProtect> = defineMutation({
  type: 32,
  name: 'put_protect',
  scope: 'objects',
  // The tools, not the engine, decide who may change a protection.
  touches: ({ protection }) => [{ object: `protection ${protection.id}` }],
  isNoOp: ({ sheet, protection }, document) => hasIdentical(document.subSheet(sheet).protections, protection),
  beside: laterWhenApart,
  apply: (document, { sheet, protection, at }) => {
    const sub = document.subSheet(sheet);
    if (protection.region) checkRegion(protection.region, 'protection.region');
    const index = sub.protections.findIndex((one) => one.id === protection.id);
    const before = sub.protections[index];
    if (before) {
      sub.protections = sub.protections.with(index, protection);
      return [putProtect.of({ sheet, protection: before })];
    }
    sub.protections = insertObject(sub.protections, protection, at, 'protected range');
    return [removeProtect.of({ sheet, id: protection.id })];
  },
});

export interface RemoveProtect {
  readonly sheet: string;
  readonly id: string;
}

export const removeProtect: MutationKind<RemoveProtect> = defineMutation({
  type: 33,
  name: 'remove_protect',
  scope: 'objects',
  // The tools, not the engine, decide who may remove a protection.
  touches: ({ id }) => [{ object: `protection ${id}` }],
  isNoOp: alwaysChanges,
  beside: laterWhenApart,
  apply: (document, { sheet, id }) => {
    const sub = document.subSheet(sheet);
    const at = requireIndex(sub.protections, id, 'protected range');
    const protection = sub.protections[at] as Protection;
    sub.protections = sub.protections.toSpliced(at, 1);
    return [putProtect.of({ sheet, protection, at })];
  },
});
