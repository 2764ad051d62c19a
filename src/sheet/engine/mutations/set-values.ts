import {
  capture,
  prepare,
  write,
  type Contents,
  type FormulaRun,
  type ValueRun,
} from '../document/objects/contents.ts';
import { defineMutation, type Mutation, type MutationKind } from './mutation.ts';
import { dropLinks, grow } from './support.ts';

export interface SetValues extends Contents {
  readonly sheet: string;
  /** Links and rich text of the cells stay. */
  readonly keepLinks?: true;
}

/** Values and formulas as runs down columns. Styles stay; links and rich text go with the old content. */
export const setValues: MutationKind<SetValues> = defineMutation(1, 'set_values', (document, data) => {
  const sub = document.subSheet(data.sheet);
  const prepared = prepare(document, data);
  const values: ValueRun[] = [];
  const formulas: FormulaRun[] = [];
  for (const rect of prepared.rects) {
    const old = capture(document, sub, rect, true);
    if (old.values) values.push(...old.values);
    if (old.formulas) formulas.push(...old.formulas);
  }
  const undo: Mutation[] = [
    setValues.of({ sheet: data.sheet, values, formulas, ...(data.keepLinks ? { keepLinks: true as const } : {}) }),
  ];
  if (!data.keepLinks) undo.push(...dropLinks(sub, prepared.rects));
  write(document, sub, prepared);
  undo.push(...grow(sub, prepared.lastRow, prepared.lastCol));
  return undo;
});
