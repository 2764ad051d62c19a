import { alwaysChanges, besideLater, nameObject } from './facts.ts';
import { defineMutation, type MutationKind } from './mutation.ts';
import { defineName } from './define-name.ts';

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
