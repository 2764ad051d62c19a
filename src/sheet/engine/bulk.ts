/** The door to the columns themselves, for file readers and writers: the inside as it is, fast and without checks. */
export { type RefPart, resolveRef } from './formula/reference.ts';
export { Template } from './formula/template.ts';
export { rowsReading } from './graph/group.ts';
export { Band, blankTag, errorTag, logicalTag, numberTag, textTag } from './store/chunk.ts';
export { Sheet } from './store/sheet.ts';
export { Strings } from './store/strings.ts';
export { forgetUnused } from './workbook/recalc.ts';
