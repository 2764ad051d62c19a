import { invalid } from '../errors.ts';
import { integer, text } from '../../../kernel/field-schemas.ts';
import {
  type SheetDocument,
  capture,
  isEmpty,
  wholeGrid,
  regionOf,
  type SheetSetup,
  type SubSheet,
  type SubSheetState,
  namesForStoredFormulas,
  type Table,
} from '@sheaf/engine/internal/document';
import {
  addSheet,
  defineName,
  type Mutation,
  putPivot,
  restoreBlock,
  restoreState,
  restoreStyles,
  type RestoreStyles,
  keepStyles,
} from '@sheaf/engine/internal/mutations';
import { findFreeTableName, assignTableNumber } from '../objects/tables.ts';
import { newSheetId } from '../objects/sheet-id.ts';
import { checkSheetName } from '../objects/sheet-names.ts';
import { worksheetWriteTool, type ToolCall } from '../calls/tool.ts';

const maxNameLength = 31;
/**
 * Kinds of xlsx elements, kept unchanged from an imported file, that may occur only once in a file. A copy of a
 * sub-sheet therefore leaves them out.
 */
const uniqueInFile = new Set(['chartsheet', 'relation']);

export const copy_sheet = worksheetWriteTool({
  name: 'copy_sheet',
  summary: 'Copies a sub-sheet with everything on it. For a whole document use manage_copy_file.',
  input: {
    name: text('Name of the copy.', { max: maxNameLength }).optional(),
    index: integer('Tab position; after the original if omitted.', { min: 0 }).optional(),
  },
  output: { sheet_id: text('The copy.'), sheet_name: text('Its name.') },
  plan(document, sub, input, call) {
    const count = document.subSheets.length;
    const at = input.index ?? document.subSheets.indexOf(sub) + 1;
    if (at > count) throw invalid(`index: must be at most ${count}, the number of sub-sheets (got ${at})`);
    const name = input.name
      ? checkSheetName(document, input.name)
      : numbered(sub.name, (one) => document.byName(one) === undefined, maxNameLength);
    const sheet = newSheetId();
    const tables = tableCopies(document, sub, call);
    const tableAs = (number: number): number => tables.get(number)?.number ?? number;
    const written = namesForStoredFormulas(document, tableAs);
    const mutations: Mutation[] = [addSheet.of({ sheet, name, at, type: sub.type, rows: sub.rows, cols: sub.cols })];
    for (const one of document.names(written))
      if (one.sheet === sub.id) mutations.push(defineName.of({ name: one.name, formula: one.formula, sheet }));
    const contents = capture(document, sub, wholeGrid, false, written);
    if (!isEmpty(contents)) mutations.push(restoreBlock.of({ sheet, region: regionOf(wholeGrid), ...contents }));
    if (sub.styles.used().length > 0)
      mutations.push(restoreStyles.of({ ...(keepStyles(document, sub, wholeGrid).data as RestoreStyles), sheet }));
    mutations.push(
      restoreState.of({ sheet, state: stateCopy(sub, call, [...tables.values()]) }),
      ...pivotCopies(document, sub, sheet, call),
    );
    return { mutations, data: { sheet_id: sheet, sheet_name: name } };
  },
});

/**
 * Returns the sub-sheet's settings and objects (such as links, charts and comments) for its copy. The objects get new
 * ids, because ids are unique in a document. `tables` are the copies of its tables.
 */
function stateCopy(sub: SubSheet, call: ToolCall, tables: readonly Table[]): SubSheetState {
  const state = sub.save();
  const protections = state.protections.map((one) => ({ ...one, id: call.newId('protect') }));
  const idAsCopied = new Map(state.protections.map((one, i) => [one.id, protections[i]!.id]));
  return {
    ...state,
    setup: setupCopy(state.setup, (id) => idAsCopied.get(id) ?? id),
    links: state.links.map(([row, col, link]) => [row, col, { ...link, id: call.newId('link') }]),
    filters: state.filters.map((one) => ({ ...one, id: call.newId('filter') })),
    images: state.images.map((one) => ({ ...one, id: call.newId('image') })),
    // Leave out `kept`, the parts of an imported chart that are kept unchanged for export, because they refer to the
    // original sub-sheet.
    charts: state.charts.map(({ kept: _, ...one }) => ({ ...one, id: call.newId('chart') })),
    carried: state.carried.filter(({ kind }) => !uniqueInFile.has(kind)),
    formats: state.formats.map((one) => ({ ...one, id: call.newId('format') })),
    validations: state.validations.map((one) => ({ ...one, id: call.newId('validation') })),
    comments: state.comments.map((one) => ({ ...one, id: call.newId('comment') })),
    tables,
    protections,
  };
}

/**
 * Copies the settings of a sub-sheet. Leaves out `codeName`, by which macros refer to the sub-sheet, because it must be
 * unique in a file. `idAs` returns a protection's new id.
 */
function setupCopy({ protection, more, ...rest }: SheetSetup, idAs: (id: string) => string): SheetSetup {
  const attributes = more?.['propertyAttributes']?.replace(/ codeName="[^"]*"/, '');
  return {
    ...rest,
    ...(protection ? { protection: { ...protection, ids: protection.ids.map(idAs) } } : {}),
    ...(more ? { more: attributes === undefined ? more : { ...more, propertyAttributes: attributes } } : {}),
  };
}

/**
 * Copies the tables of a sub-sheet. Returns each copy by the number of its original table, so that formulas can be
 * changed to refer to the copy.
 */
function tableCopies(document: SheetDocument, sub: SubSheet, call: ToolCall): Map<number, Table> {
  const names = new Set<string>();
  return new Map(
    sub.tables.map(({ kept: _, ...one }) => {
      const id = call.newId('table');
      const name = findFreeTableName(document, one.name, names);
      names.add(name.toUpperCase());
      return [one.number, { ...one, id, number: assignTableNumber(document, id), name }];
    }),
  );
}

function pivotCopies(document: SheetDocument, sub: SubSheet, sheet: string, call: ToolCall): Mutation[] {
  const taken = new Set(document.pivots.map((one) => one.name));
  return document.pivots
    .filter((one) => one.sheet === sub.id)
    .map((one) => {
      const name = numbered(one.name, (other) => !taken.has(other), 100);
      taken.add(name);
      return putPivot.of({
        pivot: {
          ...one,
          id: call.newId('pivot'),
          name,
          sheet,
          sourceSheet: one.sourceSheet === sub.id ? sheet : one.sourceSheet,
        },
      });
    });
}

/** Returns a free name such as "Budget (2)", of at most `longest` characters. */
function numbered(name: string, isFree: (name: string) => boolean, longest: number): string {
  for (let number = 2; ; number++) {
    const suffix = ` (${number})`;
    const made = `${[...name].slice(0, longest - suffix.length).join('')}${suffix}`;
    if (isFree(made)) return made;
  }
}
