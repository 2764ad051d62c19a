import type { Protection } from '../document/objects/sheet-objects.ts';
import { checkRegion } from '../document/objects/rect.ts';
import { laterWhenApart, hasIdentical, neverNoOp } from './affected-parts.ts';
import { putObject, takeObject, type RemoveObject } from './object-lists.ts';
import { defineMutation, type MutationKind } from './define-mutation.ts';

interface PutProtect {
  readonly sheet: string;
  /** The protection to add. It replaces the protection with the same id, if there is one. */
  readonly protection: Protection;
  /** Index in the list of protections; the end if absent. */
  readonly at?: number;
}

export const putProtect: MutationKind<PutProtect> = defineMutation({
  type: 32,
  name: 'put_protect',
  scope: 'objects',
  // `touches` lists no cells, so protected cells do not block this mutation. The callers of the engine decide who may
  // change a protection.
  touches: ({ protection }) => [{ object: `protection ${protection.id}` }],
  isNoOp: ({ sheet, protection }, document) => hasIdentical(document.subSheet(sheet).protections, protection),
  beside: laterWhenApart,
  apply: (document, { sheet, protection, at }) => {
    const sub = document.subSheet(sheet);
    if (protection.region) checkRegion(protection.region, 'protection.region');
    const [protections, before] = putObject(sub.protections, protection, at, 'protected range');
    sub.protections = protections;
    return [before ? putProtect.of({ sheet, protection: before }) : removeProtect.of({ sheet, id: protection.id })];
  },
});

export const removeProtect: MutationKind<RemoveObject> = defineMutation({
  type: 33,
  name: 'remove_protect',
  scope: 'objects',
  // `touches` lists no cells, so protected cells do not block this mutation. The callers of the engine decide who may
  // remove a protection.
  touches: ({ id }) => [{ object: `protection ${id}` }],
  isNoOp: neverNoOp,
  beside: laterWhenApart,
  apply: (document, { sheet, id }) => {
    const sub = document.subSheet(sheet);
    const { rest, object, at } = takeObject(sub.protections, id, 'protected range');
    sub.protections = rest;
    return [putProtect.of({ sheet, protection: object, at })];
  },
});
