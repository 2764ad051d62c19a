import { z } from 'zod';
import { integer, list, text } from '../../../kernel/field-schemas.ts';
import { cellRect } from '../cells/rects.ts';
import { errorTag, rectOf, type SheetDocument, type SubSheet } from '@sheaf/engine/internal/document';
import { columnName, isRef, rectName, type Rect } from '@sheaf/engine';
import { formatSheetPrefix } from '../calls/address.ts';
import { ErrorList } from './explain-error.ts';
import { describeColumn, describeColumns, type DescribedColumn } from './describe-columns.ts';
import { shorten } from './shorten.ts';
import { detectTables, type DetectedTable } from './detect-tables.ts';

/**
 * Kinds of parts of an imported file that tools cannot change, each with its name in the description of a sub-sheet.
 * The description counts them, so that agents know that they exist.
 */
const keptParts: Readonly<Record<string, string>> = {
  drawing: 'drawing of the file',
  chart: 'chart of the file',
  pivotTable: 'pivot table of the file',
  dataTable: 'what-if table',
  comment: 'comment',
};

const maxTables = 40;
const maxColumns = 60;
const maxListed = 8;
const maxNames = 20;

const table = z.object({
  range: text('Its cells.'),
  header_row: integer('Row number of the headings; absent if there are none.').optional(),
  columns: list('One line per column: letter, heading, type, formula and where it breaks.', text('A column.')),
});

const entries = (what: string) => z.record(z.string(), z.string()).meta({ description: what }).optional();

export const inspectedSheet = z.object({
  sheet: text('Name.'),
  sheet_id: text('Id.'),
  used: text('Used cells; empty if none.'),
  tables: list('Tables, from the top.', table),
  cells: entries('Small blocks beside the tables: address and what they show.'),
  errors: entries('First error cells, with their causes.'),
  error_count: integer('Number of error cells.').optional(),
  merges: text('Merged ranges.').optional(),
  hidden: text('Hidden rows and columns.').optional(),
  frozen: text('Frozen rows and columns.').optional(),
  reads: list('Other sub-sheets that its formulas read.', text('One.')).optional(),
  arrays: text('Arrays that a formula fills.').optional(),
  has: text('Charts, pivot tables, filters and other objects.').optional(),
});

export type InspectedSheet = z.input<typeof inspectedSheet>;

/** Levels of detail of a description, highest first. The answer uses the highest level that fits the token limit. */
export const detailLevels = [2, 1, 0] as const;
export type DetailLevel = (typeof detailLevels)[number];

export function inspectSheet(
  document: SheetDocument,
  sub: SubSheet,
  detail: DetailLevel,
  columnsAtMost: number,
): InspectedSheet {
  const used = document.usedRange(sub);
  const tables = detectTables(document, sub, maxTables);
  const large = tables.filter(
    ({ rect }) => rect.bottom - rect.top >= 2 && (rect.right > rect.left || rect.bottom - rect.top >= 4),
  );
  const small = tables.filter((one) => !large.includes(one));
  const errors = errorsOf(document, sub, used);
  return {
    sheet: sub.name,
    sheet_id: sub.id,
    used: used ? rectName(used) : '',
    tables: large.map((table) => inspectTable(document, sub, table, detail, columnsAtMost)),
    ...(small.length > 0 ? { cells: describeSmallBlocks(document, sub, small, detail) } : {}),
    ...(errors.count > 0 ? { errors: errors.errors, error_count: errors.count } : {}),
    ...describeObjects(document, sub),
  };
}

function inspectTable(
  document: SheetDocument,
  sub: SubSheet,
  table: DetectedTable,
  detail: DetailLevel,
  most: number,
): InspectedSheet['tables'][number] {
  const { rect, header } = table;
  const described: DescribedColumn[] = [];
  const last = Math.min(rect.right, rect.left + Math.min(most, maxColumns) - 1);
  for (let col = rect.left; col <= last; col++) described.push(describeColumn(document, sub, table, col, detail));
  const columns = describeColumns(described, detail);
  if (last < rect.right) columns.push(`… ${columnName(last + 1)} to ${columnName(rect.right)}`);
  return { range: rectName(rect), ...(header === undefined ? {} : { header_row: header + 1 }), columns };
}

/** Describes blocks of cells that are too small to be tables, such as form fields, in one line each, by address. */
function describeSmallBlocks(
  document: SheetDocument,
  sub: SubSheet,
  tables: readonly DetectedTable[],
  detail: DetailLevel,
): Record<string, string> {
  const most = detail === 2 ? 40 : detail === 1 ? 15 : 5;
  const listed: Record<string, string> = {};
  for (const { rect } of tables.slice(0, most)) {
    const texts: string[] = [];
    for (let row = rect.top; row <= rect.bottom && texts.length < 12; row++)
      for (let col = rect.left; col <= rect.right && texts.length < 12; col++) {
        const formula = document.formula(sub, row, col);
        const shown = shorten(document.text(sub, row, col), 24);
        if (shown !== '') texts.push(formula === undefined ? shown : `${shown} (${shorten(formula, 40)})`);
      }
    listed[rectName(rect)] = texts.join(' | ');
  }
  if (tables.length > most) listed['…'] = `${tables.length - most} more`;
  return listed;
}

function errorsOf(document: SheetDocument, sub: SubSheet, used: Rect | undefined): ErrorList {
  const list = new ErrorList(document, maxListed);
  for (let col = used?.left ?? 0; used && col <= used.right; col++) {
    sub.sheet.cells.eachPiece(col, used.top, used.bottom, ({ tags }, from, to, start) => {
      for (let at = from; at <= to; at++) if (tags[at] === errorTag) list.add(sub, start + at, col, '');
    });
  }
  return list;
}

function describeObjects(document: SheetDocument, sub: SubSheet): Partial<InspectedSheet> {
  const { rows, cols } = document.size(sub);
  const whole = { top: 0, left: 0, bottom: rows - 1, right: cols - 1 };
  const merges = sub.merges.meeting(whole).map(rectName);
  const hidden = describeHidden(sub);
  const { freeze } = sub;
  const frozen = [freeze.rows > 0 ? `${freeze.rows} rows` : '', freeze.cols > 0 ? `${freeze.cols} columns` : ''].filter(
    Boolean,
  );
  const reads = sheetsRead(document, sub);
  const arrays = document.workbook.spills.any(sub.sheet.id)
    ? document.workbook.spills
        .meeting(sub.sheet.id, 0, 0, rows - 1, cols - 1)
        .map((one) => rectName(areaOf(document, sub, one.row, one.col)))
    : [];
  const pivots = document.pivots.filter((one) => one.sheet === sub.id).length;
  const has = [
    count(sub.charts.length, 'chart'),
    count(pivots, 'pivot table'),
    ...sub.filters.map((one) => `filter ${rectName(rectOf(one.region))}`),
    ...sub.tables.map((one) => `table ${one.name} ${rectName(rectOf(one.regions[0]!))}`),
    count(sub.images.length, 'image'),
    count(sub.protections.length, 'protected range'),
    ...Object.entries(keptParts).map(([wanted, what]) =>
      count(sub.carried.filter(({ kind }) => kind === wanted).length, what),
    ),
    count(sub.links.size, 'link'),
  ].filter(Boolean);
  return {
    ...(merges.length > 0 ? { merges: listed(merges) } : {}),
    ...(hidden.length > 0 ? { hidden: listed(hidden) } : {}),
    ...(frozen.length > 0 ? { frozen: frozen.join(', ') } : {}),
    ...(reads.length > 0 ? { reads } : {}),
    ...(arrays.length > 0 ? { arrays: listed(arrays) } : {}),
    ...(has.length > 0 ? { has: has.join(', ') } : {}),
  };
}

function areaOf(document: SheetDocument, sub: SubSheet, row: number, col: number): Rect {
  return document.workbook.spills.get(sub.sheet.id, row, col) ?? cellRect(row, col);
}

function count(number: number, what: string): string {
  if (number === 0) return '';
  return number === 1 ? `1 ${what}` : `${number} ${what.replace(/^(.*?)(?= of |$)/, '$1s')}`;
}

function listed(all: readonly string[]): string {
  return all.length <= maxListed
    ? all.join(', ')
    : `${all.slice(0, maxListed).join(', ')} and ${all.length - maxListed} more`;
}

function describeHidden(sub: SubSheet): string[] {
  const rows = sub.hiddenRows.list().map(([first, last]) => `rows ${first + 1}:${last + 1}`);
  const filtered = sub.filteredRows().list().length > 0 ? ['rows by filter'] : [];
  const cols = sub.hiddenCols.list().map(([first, last]) => `columns ${columnName(first)}:${columnName(last)}`);
  return [...rows, ...filtered, ...cols];
}

/**
 * Returns the names of other sub-sheets to which formulas on `sub` refer, each with the cells of the first such
 * formula.
 */
function sheetsRead(document: SheetDocument, sub: SubSheet): string[] {
  const found = new Map<string, string>();
  document.workbook.graph.maps.get(sub.sheet.id)?.each((group) => {
    for (const part of group.pattern.parts) {
      if (typeof part === 'string' || !isRef(part) || part.sheet === undefined || part.sheet === sub.sheet.id) continue;
      const name =
        typeof part.sheet === 'string' ? `${part.sheet} (missing)` : (document.numbered(part.sheet)?.name ?? '');
      const cells = rectName({ top: group.top, bottom: group.bottom, left: group.col, right: group.col });
      if (!found.has(name)) found.set(name, cells);
    }
  });
  return [...found].slice(0, maxListed).map(([name, cells]) => `${name} (from ${cells})`);
}

/** Returns the name and the formula of each of the first defined names of the document, as one text per name. */
export function listDefinedNames(document: SheetDocument): string[] {
  return document
    .names()
    .slice(0, maxNames)
    .map(({ name, sheet, formula }) => {
      const owner = sheet === undefined ? undefined : document.find(sheet);
      return `${owner ? formatSheetPrefix(owner) : ''}${name} ${shorten(formula, 60)}`;
    });
}
