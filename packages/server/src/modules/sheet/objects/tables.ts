import { fail } from '../../../kernel/errors.ts';
import {
  type FormulaRun,
  isTable,
  meets,
  rectOf,
  type RefPart,
  runOf,
  type SheetDocument,
  namesForStoredFormulas,
  type SubSheet,
  type Table,
  type TablePart,
  tableRefs,
  type TableStyle,
  type Template,
} from '@sheaf/engine/internal/document';
import { type Rect, rectName } from '@sheaf/engine';
import { defineName, type Mutation, putMark, setValues } from '@sheaf/engine/internal/mutations';

export const tableStyleOptions = ['row_stripes', 'column_stripes', 'first_column', 'last_column'] as const;

/** Maps each style option of the API to its property in a table's style. */
export const tableStyleKeys = {
  row_stripes: 'rowStripes',
  column_stripes: 'columnStripes',
  first_column: 'firstColumn',
  last_column: 'lastColumn',
} as const satisfies Record<(typeof tableStyleOptions)[number], keyof TableStyle>;

/** Returns the range of a table with its headings, without the totals row. */
export function tableRangeWithoutTotals({ regions, totals }: Table): Rect {
  const rect = rectOf(regions[0]!);
  return totals ? { ...rect, bottom: rect.bottom - 1 } : rect;
}

export function describeTable(document: SheetDocument, sub: SubSheet, table: Table) {
  const shape = document.workbook.tables.table(table.number);
  const { style } = table;
  return {
    table_id: table.id,
    sheet_id: sub.id,
    name: table.name,
    range: rectName(tableRangeWithoutTotals(table)),
    has_headings: table.headings !== false,
    has_totals: table.totals === true,
    style: style?.name ?? '',
    style_parts: tableStyleOptions.filter((one) => style?.[tableStyleKeys[one]]),
    columns: shape ? [...document.workbook.tables.columnNames(shape)] : [],
  };
}

/**
 * Returns an unused number by which formulas can refer to a table. It is derived from the table's id, so that a new
 * table is unlikely to get the number of a deleted one, which formulas may still contain.
 */
export function assignTableNumber(document: SheetDocument, id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  let number = hash >>> 1;
  while (document.workbook.tables.table(number)) number = (number + 1) & 0x7fffffff;
  return number;
}

/** Returns an unused table name, that is, one that no table or defined name has and that `besides` does not contain. */
export function findFreeTableName(
  document: SheetDocument,
  wanted: string,
  besides: ReadonlySet<string> = new Set(),
): string {
  const names = new Set(document.names().map(({ name }) => name.toUpperCase()));
  const stem = wanted.replace(/\d+$/, '') || 'Table';
  for (let number = wanted === stem ? 1 : 0; ; number++) {
    const name = number === 0 ? wanted : `${stem}${number}`;
    const upper = name.toUpperCase();
    if (!names.has(upper) && !besides.has(upper) && !document.workbook.tables.tableNamed(name)) return name;
  }
}

export function refuseTakenName(document: SheetDocument, name: string, own?: Table): void {
  const other = document.workbook.tables.tableNamed(name);
  if (other && other.id !== own?.number)
    throw fail('conflict', `name: there is a table ${JSON.stringify(other.name)} already`);
  const named = document.names().find((one) => one.name.toUpperCase() === name.toUpperCase());
  if (named) throw fail('conflict', `name: ${JSON.stringify(named.name)} is a name of the document`);
}

/**
 * Returns mutations that replace references to a table in formulas and defined names by cell ranges. Must be called
 * before the table is deleted.
 */
export function replaceTableReferences(document: SheetDocument, { number }: Table): Mutation[] {
  const { workbook } = document;
  const written = namesForStoredFormulas(document);
  const textOf = (template: Template, own: number, row: number, col: number): string => {
    const parts = template.pattern.parts.map((part) =>
      isTable(part) && part.table === number ? cellsOf(document, part, own) : part,
    );
    const pattern = workbook.templates.patternOf(parts, row, col, template.mode);
    return workbook.templates.with(pattern, template.constants, template.texts).text(row, col, written);
  };
  const speaksOfIt = ({ pattern }: Template): boolean => pattern.tables.some(({ table }) => table === number);
  const names = workbook.names.list().flatMap(({ name, sheet, template }) => {
    if (!speaksOfIt(template)) return [];
    const scope = sheet === undefined ? undefined : document.numbered(sheet);
    return [defineName.of({ name, formula: textOf(template, -1, 0, 0), ...(scope ? { sheet: scope.id } : {}) })];
  });
  return [...rewriteFormulas(document, speaksOfIt, textOf), ...names];
}

function rewriteFormulas(
  document: SheetDocument,
  isMeant: (template: Template) => boolean,
  textOf: (template: Template, own: number, row: number, col: number) => string,
): Mutation[] {
  const { workbook } = document;
  workbook.graph.flush();
  const made: Mutation[] = [];
  for (const [id, map] of workbook.graph.maps) {
    const sub = document.numbered(id);
    if (!sub) continue;
    const formulas: FormulaRun[] = [];
    map.each(({ col, top, bottom }) => {
      for (let row = top; row <= bottom;) {
        const template = workbook.templateAt(sub.sheet, row, col);
        let end = row;
        while (end < bottom && workbook.templateAt(sub.sheet, end + 1, col) === template) end++;
        if (template && isMeant(template))
          formulas.push(runOf(row, col, end - row + 1, textOf(template, id, row, col), template.mode));
        row = end + 1;
      }
    });
    if (formulas.length > 0) made.push(setValues.of({ sheet: sub.id, formulas, keepLinks: true }));
  }
  return made;
}

function cellsOf(document: SheetDocument, part: TablePart, own: number): RefPart {
  const [ref] = tableRefs(part, document.workbook.tables);
  const edges = { topAbs: true, leftAbs: true, bottomAbs: true, rightAbs: true };
  if (!ref)
    return { shape: 'lost', sheet: undefined, lastSheet: undefined, top: 0, left: 0, bottom: 0, right: 0, ...edges };
  const isCell = ref.top === ref.bottom && ref.left === ref.right;
  return { ...ref, sheet: ref.sheet === own ? undefined : ref.sheet, shape: isCell ? 'cell' : 'area' };
}

/**
 * Returns the tables that grow when rows are written directly below them, with their new ranges. A table does not grow
 * if it has a totals row, or if another table or a protection is in the way.
 */
export function extendTables(sub: SubSheet, written: Rect): { table: Table; range: string; mutation: Mutation }[] {
  return sub.tables.flatMap((table) => {
    const rect = rectOf(table.regions[0]!);
    const isBelow = written.top <= rect.bottom + 1 && written.bottom > rect.bottom;
    const isWithin = written.left >= rect.left && written.right <= rect.right;
    const grown = { ...rect, bottom: written.bottom };
    if (!isBelow || !isWithin || written.top < rect.top || table.totals) return [];
    const added = { ...grown, top: rect.bottom + 1 };
    const isFree = sub.tables.every((other) => other === table || !meets(rectOf(other.regions[0]!), added));
    if (!isFree || sub.protectionsMeeting(grown).length > 0) return [];
    const enlarged = { ...table, regions: [[grown.top, grown.left, grown.bottom, grown.right] as const] };
    return [{ table, range: rectName(grown), mutation: putMark.of({ sheet: sub.id, list: 'tables', mark: enlarged }) }];
  });
}

/**
 * Returns the tables that end directly left of the written range. The write does not extend these tables, so the answer
 * mentions them.
 */
export function findTablesLeftOf(sub: SubSheet, written: Rect): Table[] {
  return sub.tables.filter((table) => {
    const rect = rectOf(table.regions[0]!);
    return rect.right + 1 === written.left && written.top <= rect.bottom && written.bottom >= rect.top;
  });
}

/**
 * Returns the tables that end directly above the written range and are not extended by the write, such as tables with a
 * totals row.
 */
export function findTablesAbove(sub: SubSheet, written: Rect, grown: readonly { readonly table: Table }[]): Table[] {
  return sub.tables.filter((table) => {
    const rect = rectOf(table.regions[0]!);
    const isAbove = rect.bottom + 1 === written.top && written.left <= rect.right && written.right >= rect.left;
    return isAbove && grown.every((one) => one.table !== table);
  });
}
