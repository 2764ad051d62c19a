import {
  type Filter,
  rectOf,
  type SheetDocument,
  namesForStoredFormulas,
  type SubSheet,
  type Table,
  type Template,
} from '@sheaf/engine/internal/document';
import { rectName, type Rect } from '@sheaf/engine';
import { createDefinedNameTest, namesForFileFormulas } from './names-for-file-formulas.ts';
import { toFileSyntax } from './formula-file-syntax.ts';
import { RelationshipsWriter } from './relationships-writer.ts';
import { fingerprint } from './passthrough/fingerprint.ts';
import { criteriaFingerprint, filterFingerprint, filterXml } from './write-filter.ts';
import { changedTableXml, partFingerprints, styleXml, type ColumnParts } from './write-changed-table.ts';
import { xmlDeclaration, mainNamespace, xmlEscape } from './xml-escape.ts';
import type { PassthroughWriter, PartSink } from './passthrough/passthrough-writer.ts';

/** Names of the totals row functions in an XLSX file, by function number of SUBTOTAL. */
const totalFunctions: Readonly<Record<string, string>> = {
  101: 'average',
  102: 'countNums',
  103: 'count',
  104: 'max',
  105: 'min',
  107: 'stdDev',
  109: 'sum',
  110: 'var',
};

/**
 * Returns a table's filter: the one that starts at the table's first cell, has the same columns, and does not extend
 * below the table. Returns undefined if there is none.
 */
export function filterOf(sub: SubSheet, { regions: [region] }: Table): Filter | undefined {
  return (
    region &&
    sub.filters.find(
      ({ region: own }) => own[0] === region[0] && own[1] === region[1] && own[3] === region[3] && own[2] <= region[2],
    )
  );
}

export function writeTable(
  document: SheetDocument,
  sub: SubSheet,
  table: Table,
  number: number,
  sink: PartSink,
  kept: PassthroughWriter,
): string {
  const part = `xl/tables/table${number}.xml`;
  const relations = new RelationshipsWriter();
  const [top, left] = table.regions[0]!;
  const imported = kept.unchanged(
    table.source,
    () => tableFingerprint(document, sub, table),
    [top, left],
    relations,
    number,
  );
  const xml =
    imported ??
    changedTableXml(table, tableParts(document, sub, table), filterOf(sub, table), number, kept, relations) ??
    tableXml(document, sub, table, number, kept, relations);
  sink.zip.add(part, xmlDeclaration + xml);
  sink.contents.add(part, 'application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml');
  kept.relationsOf(part, relations);
  return `../tables/table${number}.xml`;
}

/** Returns the fingerprint (hash) of everything in a table's part, except the table's position. */
function tableFingerprint(document: SheetDocument, sub: SubSheet, table: Table): string {
  const rect = rectOf(table.regions[0]!);
  const { name, headings, totals, style } = table;
  const filter = filterOf(sub, table);
  const size = [rect.bottom - rect.top, rect.right - rect.left];
  const columns = columnsOf(document, sub, table, undefined);
  return fingerprint([name, headings, totals, style, size, columns, filter && filterFingerprint(filter)]);
}

/**
 * Returns the fingerprint (hash) of a table and those of its parts: its filter criteria, and the name, total and
 * formula of each column.
 */
export function tableFingerprints(document: SheetDocument, sub: SubSheet, table: Table): [string, string[]] {
  const filter = filterOf(sub, table);
  return [
    tableFingerprint(document, sub, table),
    [filter ? criteriaFingerprint(filter) : '', ...tableParts(document, sub, table).flatMap(partFingerprints)],
  ];
}

function tableXml(
  document: SheetDocument,
  sub: SubSheet,
  table: Table,
  number: number,
  kept: PassthroughWriter,
  relations: RelationshipsWriter,
): string {
  const text = table.kept === undefined ? undefined : kept.textAt(table.kept);
  for (const relation of text?.relations ?? []) kept.relate(relation, relations);
  const rect = rectOf(table.regions[0]!);
  const hasHeadings = table.headings !== false;
  const filter = filterOf(sub, table);
  const name = xmlEscape(table.name);
  const columns = columnsOf(document, sub, table, kept);
  const told = text?.pieces?.[0] ?? (table.totals ? '' : ' totalsRowShown="0"');
  return (
    `<table xmlns="${mainNamespace}" id="${number}" name="${name}" displayName="${name}" ref="${rectName(rect)}"` +
    `${hasHeadings ? '' : ' headerRowCount="0"'}${table.totals ? ' totalsRowCount="1"' : ''}${told}>` +
    `${filter && hasHeadings ? filterXml(filter) : ''}` +
    `<tableColumns count="${columns.length}">${columns.join('')}</tableColumns>${styleXml(table)}${text?.xml ?? ''}</table>`
  );
}

/**
 * Returns the parts of the XML of each table column that the export generates. Names are taken from the header cells,
 * because Excel rejects a table whose column names differ from them.
 */
function tableParts(document: SheetDocument, sub: SubSheet, table: Table): ColumnParts[] {
  const { tables } = document.workbook;
  const rect = rectOf(table.regions[0]!);
  const shape = tables.table(table.number);
  const names = shape ? tables.columnNames(shape) : [];
  return table.columns.map((column, i) => ({
    name: xmlEscape((names[i] ?? column.name).replaceAll(/\r?\n/g, '_x000a_')),
    totals: table.totals ? totalOf(document, sub, table, column.number, rect.bottom, rect.left + i) : undefined,
    computed: computed(document, sub, table, rect, rect.left + i),
  }));
}

/**
 * Returns the XML of the table's columns. If `kept` is given, attributes and elements that documents do not model are
 * taken from the imported file.
 */
function columnsOf(
  document: SheetDocument,
  sub: SubSheet,
  table: Table,
  kept: PassthroughWriter | undefined,
): string[] {
  return tableParts(document, sub, table).map(({ name, totals, computed: formula }, i) => {
    const { kept: own } = table.columns[i]!;
    const text = own === undefined ? undefined : kept?.textAt(own);
    const inside = `${formula}${totals?.inside ?? ''}${text?.xml ?? ''}`;
    return (
      `<tableColumn id="${i + 1}" name="${name}"${totals?.attributes ?? ''}${text?.pieces?.[0] ?? ''}` +
      `${inside === '' ? '/>' : `>${inside}</tableColumn>`}`
    );
  });
}

/**
 * Returns how the XML describes a column's totals cell: attributes and, for other formulas than the standard totals, an
 * element inside. Returns undefined if the cell has neither formula nor text.
 */
function totalOf(
  document: SheetDocument,
  sub: SubSheet,
  table: Table,
  column: number,
  row: number,
  col: number,
): { attributes: string; inside?: string } | undefined {
  const template = document.workbook.templateAt(sub.sheet, row, col);
  if (!template) {
    const value = document.value(sub, row, col);
    return typeof value === 'string' && value !== ''
      ? { attributes: ` totalsRowLabel="${xmlEscape(value)}"` }
      : undefined;
  }
  const own = `⟦${table.number}:0:${column}:${column}⟧`;
  const [, code = '', part] =
    /^=SUBTOTAL\((\d+),(.*)\)$/i.exec(template.text(row, col, namesForStoredFormulas(document))) ?? [];
  const known = part === own ? totalFunctions[code] : undefined;
  if (known !== undefined) return { attributes: ` totalsRowFunction="${known}"` };
  const formula = fileFormula(document, sub, template, row, col);
  return { attributes: ' totalsRowFunction="custom"', inside: `<totalsRowFormula>${formula}</totalsRowFormula>` };
}

/**
 * Returns the XML element with the formula of a column's first row if more than half of its rows share the formula,
 * otherwise an empty string. Spreadsheet programs fill new table rows with this formula.
 */
function computed(document: SheetDocument, sub: SubSheet, table: Table, rect: Rect, col: number): string {
  const top = rect.top + (table.headings === false ? 0 : 1);
  const bottom = rect.bottom - (table.totals ? 1 : 0);
  if (top > bottom) return '';
  const { workbook } = document;
  const first = workbook.templateAt(sub.sheet, top, col);
  if (!first || first.pattern.array) return '';
  let same = 0;
  sub.sheet.cells.eachPiece(col, top, bottom, (chunk, from, to) => {
    for (let i = from; i <= to; i++) if (chunk.formulas?.[i] === first.id) same++;
  });
  if (same * 2 <= bottom - top + 1) return '';
  return `<calculatedColumnFormula>${fileFormula(document, sub, first, top, col)}</calculatedColumnFormula>`;
}

function fileFormula(document: SheetDocument, sub: SubSheet, template: Template, row: number, col: number): string {
  const text = template.text(row, col, namesForFileFormulas(document));
  return xmlEscape(toFileSyntax(text, template.pattern.variables, createDefinedNameTest(document, sub)));
}
