import { alwaysChanges, besideOthers, nameObject, besideLater } from './facts.ts';
import { defineMutation, type MutationKind } from './mutation.ts';

export interface DefineName {
  readonly name: string;
  /** Absent: a name of the whole workbook. */
  readonly sheet?: string;
  /** References count from A1. */
  readonly formula: string;
}

export const defineName: MutationKind<DefineName> = defineMutation({
  type: 34,
  name: 'define_name',
  scope: 'objects',
  touches: (data) => [{ object: nameObject(data) }],
  isNoOp: alwaysChanges,
  beside: besideOthers,
  apply: (document, { name, sheet, formula }) => {
    const number = sheet === undefined ? undefined : document.subSheet(sheet).sheet.id;
    const before = document.names().find((one) => one.name.toUpperCase() === name.toUpperCase() && one.sheet === sheet);
    document.workbook.defineName(name, formula, number);
    const scope = sheet === undefined ? {} : { sheet };
    return before
      ? [defineName.of({ name: before.name, ...scope, formula: before.formula })]
      : [removeName.of({ name, ...scope })];
  },
});

export interface RemoveName {
  readonly name: string;
  readonly sheet?: string;
}

export const removeName: MutationKind<RemoveName> = defineMutation({
  type: 35,
  name: 'remove_name',
  scope: 'objects',
  touches: (data) => [{ object: nameObject(data) }],
  isNoOp: alwaysChanges,
  beside: besideLater,
  apply: (document, { name, sheet }) => {
    const number = sheet === undefined ? undefined : document.subSheet(sheet).sheet.id;
    const before = document.names().find((one) => one.name.toUpperCase() === name.toUpperCase() && one.sheet === sheet);
    document.workbook.removeName(name, number);
    return before
      ? [defineName.of({ name: before.name, ...(sheet === undefined ? {} : { sheet }), formula: before.formula })]
      : [];
  },
});
