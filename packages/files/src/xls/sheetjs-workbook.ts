import type { CellObject, WorkBook, WorkSheet } from '@e965/xlsx';
import { columnName, rectName } from '@sheaf/engine';
import { partTitle } from '../containers/package-parts.ts';
import { readWithSheetJs, sheetJsRows } from '../containers/sheetjs-reader.ts';
import { defaultLimits } from '../decode-types.ts';
import { damaged, FormatError } from '../format-error.ts';
import { FormulaWarnings } from '../xlsx/formula-warnings.ts';
import { escapeCellText, mainNamespace, preserveSpace, xmlDeclaration, xmlEscape } from '../xlsx/xml-escape.ts';
import { decodeXml, rejectDoctype } from '../xml/sax.ts';
import { endToken, openToken, XmlReader } from '../xml/xml-reader.ts';
import { BytesSource } from '../xml/xml-source.ts';
import type { ZipArchive } from '../zip/reader.ts';
import { ZipWriter } from '../zip/writer.ts';
import type {
  ForeignCell,
  ForeignComment,
  ForeignLink,
  ForeignName,
  ForeignRow,
  ForeignSheet,
  ForeignValue,
  ForeignWorkbook,
} from './workbook-model.ts';

const options = { cellFormula: true, cellNF: true, cellStyles: true } as const;
const remedy = 'Split it and import the parts.';
const firstOwnFormat = 164;

/** Matches the parts of an .xlsb file that the library SheetJS needs. Macros and pictures are not unpacked. */
const xlsbParts = /^(?!.*vbaProject).*\.(?:bin|xml|rels)$/i;
/** Files in an OpenDocument spreadsheet that the library SheetJS needs. Only these are passed to it. */
const odsParts = ['META-INF/manifest.xml', 'content.xml', 'styles.xml'];

/** Reads a workbook of Excel 95 or older with the library SheetJS, which does not return fonts and colors. */
export async function readOldXls(stream: Uint8Array, warnings: Set<string>): Promise<ForeignWorkbook> {
  return workbookOf(await readWithSheetJs(stream, options), '.xls file of Excel 95 or older', warnings);
}

/** Reads an .xlsb workbook with SheetJS. */
export async function readXlsb(archive: ZipArchive, warnings: Set<string>): Promise<ForeignWorkbook> {
  const zip = new ZipWriter(new Date(0));
  // Store the parts uncompressed, so that only our ZIP reader, which enforces limits, inflates data.
  for (const name of archive.entries.keys()) if (xlsbParts.test(name)) zip.store(name, archive.read(name));
  return workbookOf(await readWithSheetJs(zip.finish(), options), '.xlsb file', warnings);
}

/** Reads an OpenDocument spreadsheet with SheetJS. */
export async function readOds(archive: ZipArchive, warnings: Set<string>): Promise<ForeignWorkbook> {
  checkRepeatedCells(archive);
  const zip = new ZipWriter(new Date(0));
  for (const name of odsParts) {
    const xml = archive.has(name) ? decodeXml(archive.read(name)) : '<office:document-styles/>';
    rejectDoctype(xml, partTitle(name));
    zip.add(name, forLibrary(xml));
  }
  return workbookOf(await readWithSheetJs(zip.finish(), options), '.ods file', warnings);
}

/**
 * Prepares XML for SheetJS. Conditional number formats are removed, because the library logs a line for each.
 * Self-closing cells get an end tag, because the library would not read their values otherwise.
 */
function forLibrary(xml: string): string {
  return xml
    .replaceAll(/<\?xml[^>]*\?>|<style:map\b[^>]*>/g, '')
    .replaceAll(/<(table:table-cell)\b([^>]*\boffice:value-type=[^>]*)\/>/g, '<$1$2></$1>');
}

/**
 * Throws if repeated cells exceed the maximum number of cells. SheetJS expands all repetitions, and a tiny file can
 * repeat a cell millions of times.
 */
function checkRepeatedCells(archive: ZipArchive): void {
  const reader = new XmlReader(new BytesSource(archive.read('content.xml')), '"content.xml"');
  const repeats = (name: string): number => {
    const value = Number(reader.attributes(true).get(name) ?? 1);
    return Number.isInteger(value) && value > 0 ? value : 1;
  };
  let cells = 0;
  let rows = 1;
  let isSpreadsheet = false;
  for (let token = reader.next(); token !== endToken; token = reader.next()) {
    if (token !== openToken) continue;
    if (reader.name === 'spreadsheet') isSpreadsheet = true;
    else if (reader.name === 'table-row') rows = repeats('number-rows-repeated');
    else if (reader.name === 'table-cell') {
      const attributes = reader.attributes(true);
      if (![...attributes.keys()].some((name) => /value|formula/.test(name))) continue;
      cells += rows * repeats('number-columns-repeated');
      if (cells > defaultLimits.maxCells)
        throw new FormatError(
          'too_large',
          `The workbook contains more than ${defaultLimits.maxCells} cells. ${remedy}`,
        );
    }
  }
  if (!isSpreadsheet) throw new FormatError('unsupported', 'The file is an OpenDocument file, but not a spreadsheet.');
}

function workbookOf(book: WorkBook, kind: string, warnings: Set<string>): ForeignWorkbook {
  const formats = new FormatTable();
  const rows = new Map(sheetJsRows(book, defaultLimits.maxCells, remedy));
  const places = book.Workbook?.Sheets ?? [];
  const sheets = book.SheetNames.flatMap((name, index): ForeignSheet[] => {
    const sheet = book.Sheets[name];
    if (!sheet) return [];
    const state = (['visible', 'hidden', 'veryHidden'] as const)[places[index]?.Hidden ?? 0];
    return [{ ...sheetOf(name, sheet, rows.get(name) ?? [], formats, warnings), state }];
  });
  if (sheets.length === 0) throw damaged('it has no worksheets');
  warnings.add(
    `of an ${kind}, values, formulas, number formats, merges, sizes, names, links and comments are read; ` +
      'fonts, colors, borders, charts, pictures and macros were left out: save it as .xlsx to keep them',
  );
  return {
    sheets,
    names: namesOf(book),
    externalBooks: [],
    styles: formats.xml(),
    sharedStrings: [],
    date1904: book.Workbook?.WBProps?.date1904 === true,
    calculation: '',
    activeSheet: 0,
  };
}

/**
 * Matches formulas with references that SheetJS could not resolve. Such references must not be taken for references
 * within the workbook.
 */
const unresolvedMarks = /SH33TJS|\p{Cc}\[|^\p{Cc}|[(,+*/-]\p{Cc}|\bfile:\/|#REF!?\.|\.xls[bmx]?\b/iu;

function namesOf(book: WorkBook): ForeignName[] {
  return (book.Workbook?.Names ?? []).flatMap(({ Name, Ref, Sheet, ...rest }): ForeignName[] => {
    if (!Ref || unresolvedMarks.test(Ref) || /^_xl(?:fn|udf)\./i.test(Name)) return [];
    return [
      { name: Name, sheet: Sheet ?? undefined, isHidden: 'Hidden' in rest && rest.Hidden === true, formula: Ref },
    ];
  });
}

function sheetOf(
  name: string,
  sheet: WorkSheet,
  found: readonly unknown[],
  formats: FormatTable,
  warnings: Set<string>,
): Omit<ForeignSheet, 'state'> {
  const rows = new Map<number, ForeignRow>();
  const comments: ForeignComment[] = [];
  const links: ForeignLink[] = [];
  const kept = new FormulaWarnings('its last value was kept');
  const arrays = new Set<string>();
  found.forEach((line, row) => {
    const cells = Array.isArray(line)
      ? line.flatMap((one: CellObject | undefined, col) => (one ? [{ one, col }] : []))
      : [];
    const made = cells.map(({ one, col }): ForeignCell => {
      const ref = columnName(col) + (row + 1);
      for (const { a, t } of one.c ?? [])
        comments.push({ row, col, author: a ?? '', text: textXml(t ?? ''), isVisible: one.c?.hidden !== true });
      if (one.l?.Target) links.push(linkOf(ref, one.l.Target, one.l.Tooltip));
      const isFirst = one.F === undefined || !arrays.has(one.F);
      if (one.F !== undefined) arrays.add(one.F);
      const text = typeof one.f === 'string' ? one.f : undefined;
      const isLost = text !== undefined && unresolvedMarks.test(text);
      if (isLost) kept.add('refers to another workbook', row, col);
      const formula = text === undefined || isLost || !isFirst ? undefined : text.replace(/^=/, '');
      const array = formula === undefined ? undefined : one.F;
      return { col, format: formats.indexOf(one.z), value: valueOf(one), formula, array };
    });
    const attributes = rowAttributes(sheet['!rows']?.[row]);
    if (made.length > 0 || attributes !== '') rows.set(row, { cells: made, attributes });
  });
  kept.warn(name, warnings);
  const merges = (sheet['!merges'] ?? []).map(
    ({ s, e }) => `<mergeCell ref="${rectName({ top: s.r, left: s.c, bottom: e.r, right: e.c })}"/>`,
  );
  const filter = sheet['!autofilter']?.ref;
  return {
    name,
    rows,
    comments,
    links,
    before: columnsXml(sheet),
    after:
      (filter === undefined ? '' : `<autoFilter ref="${xmlEscape(filter)}"/>`) +
      (merges.length === 0 ? '' : `<mergeCells count="${merges.length}">${merges.join('')}</mergeCells>`),
    page: '',
  };
}

function valueOf({ t, v, w }: CellObject): ForeignValue | undefined {
  if (v === undefined || t === 'z') return undefined;
  if (t === 'e') return { error: w !== undefined && w.startsWith('#') ? w : '#VALUE!' };
  if (v instanceof Date) return undefined;
  return typeof v === 'number' && !Number.isFinite(v) ? { error: '#NUM!' } : v;
}

function textXml(text: string): string {
  return `<t${preserveSpace(text)}>${escapeCellText(text)}</t>`;
}

function linkOf(ref: string, target: string, tooltip: string | undefined): ForeignLink {
  return target.startsWith('#') ? { ref, location: target.slice(1), tooltip } : { ref, url: target, tooltip };
}

function rowAttributes(row: { hpt?: number; hidden?: boolean; level?: number } | undefined): string {
  if (!row) return '';
  const height = row.hpt !== undefined && row.hpt > 0 ? ` ht="${row.hpt}" customHeight="1"` : '';
  return `${height}${row.hidden ? ' hidden="1"' : ''}${row.level ? ` outlineLevel="${row.level}"` : ''}`;
}

function columnsXml(sheet: WorkSheet): string {
  const columns = (sheet['!cols'] ?? []).flatMap((column, index) => {
    if (!column) return [];
    const width = column.width ?? column.wch;
    const sized = width === undefined ? '' : ` width="${width}" customWidth="1"`;
    return [`<col min="${index + 1}" max="${index + 1}"${sized}${column.hidden ? ' hidden="1"' : ''}/>`];
  });
  return columns.length === 0 ? '' : `<cols>${columns.join('')}</cols>`;
}

/** Assigns indexes to the number formats of a workbook, and writes them as an xlsx styles part. */
class FormatTable {
  readonly #indexes = new Map<string, number>([['General', 0]]);

  indexOf(code: number | string | undefined): number {
    if (typeof code !== 'string' || code === '') return 0;
    const known = this.#indexes.get(code);
    if (known !== undefined) return known;
    this.#indexes.set(code, this.#indexes.size);
    return this.#indexes.size - 1;
  }

  xml(): string {
    const own = [...this.#indexes.keys()].slice(1);
    const codes = own.map(
      (code, index) => `<numFmt numFmtId="${firstOwnFormat + index}" formatCode="${xmlEscape(code)}"/>`,
    );
    const formats = own.map(
      (_, index) =>
        `<xf numFmtId="${firstOwnFormat + index}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
    );
    const plain = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>';
    return (
      `${xmlDeclaration}<styleSheet xmlns="${mainNamespace}">${codes.length === 0 ? '' : `<numFmts>${codes.join('')}</numFmts>`}` +
      '<fonts><font><sz val="11"/><name val="Calibri"/></font></fonts><fills><fill><patternFill patternType="none"/></fill>' +
      '<fill><patternFill patternType="gray125"/></fill></fills><borders><border/></borders>' +
      '<cellStyleXfs><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      `<cellXfs>${plain}${formats.join('')}</cellXfs></styleSheet>`
    );
  }
}
