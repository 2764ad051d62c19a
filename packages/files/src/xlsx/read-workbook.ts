import { FormatError, damaged } from '../format-error.ts';
import { defaultLimits, type DecodeLimits } from '../decode-types.ts';
import { XmlReader } from '../xml/xml-reader.ts';
import { StringSource } from '../xml/xml-source.ts';
import { openZip, type ZipArchive } from '../zip/reader.ts';
import {
  type PassthroughElement,
  type Chart,
  type KeptBook,
  type KeptFrame,
  SheetDocument,
  iterationOf,
  recalculateDocument,
  type FloatImage,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import { BudgetExceeded } from '@sheaf/engine';
import { themeOf, type Theme } from './colors.ts';
import { readExternalWorkbooks } from './external-workbooks.ts';
import { readWorkbookPassthrough } from './passthrough/workbook-passthrough.ts';
import { DrawingPassthrough } from './passthrough/drawing-passthrough.ts';
import { PassthroughReader } from './passthrough/passthrough-reader.ts';
import { readPersons } from './comment-threads.ts';
import { readChart, type UnsupportedChart } from './read-chart.ts';
import { readChartEx } from './read-chart-ex.ts';
import { readDrawing, type ParsedDrawing } from './read-drawing.ts';
import { capturePivot, storePivotXml } from './passthrough/pivot-passthrough.ts';
import { defineNames } from './read-defined-names.ts';
import { importPivot } from './read-pivot.ts';
import { SheetReader } from './read-sheet.ts';
import { imageMime } from './image-mime.ts';
import type { ImportContext } from './import-context.ts';
import { openWorkbook, type SheetEntry } from './open-workbook.ts';
import { readPalette, readStyles, runStyle } from './read-styles.ts';
import { readSharedStrings } from './read-shared-strings.ts';
import {
  eachElement,
  partReader,
  partText,
  readRelationships,
  type Relationship,
} from '../containers/package-parts.ts';
import { TableReferences } from './table-references.ts';
import { tableFingerprints } from './write-tables.ts';
import { uniqueName } from './unique-name.ts';

export interface ReadOptions {
  readonly newId: (prefix: string) => string;
  readonly newSheetId: () => string;
  /** Id of the user who becomes the owner of the imported protected ranges. */
  readonly owner: string;
  /** Current time as a spreadsheet serial number, for volatile formulas such as NOW. */
  readonly now: number;
  /**
   * Maximum number of calculation steps; no limit if undefined. If it is exceeded, cells keep the values stored in the
   * file.
   */
  readonly budget?: number;
  readonly limits?: Partial<DecodeLimits>;
}

export interface ParsedImage {
  readonly key: string;
  readonly id: string;
  readonly mime: string;
  readonly bytes: Uint8Array;
}

export interface ReadResult {
  readonly document: SheetDocument;
  readonly images: readonly ParsedImage[];
  readonly warnings: readonly string[];
}

const maxSheets = 1000;
const maxImageBytes = 10 * 2 ** 20;
const maxSheetName = 31;
/** Kinds of sheets without cells, which are stored unchanged for export. */
const otherSheets = new Set(['chartsheet', 'dialogsheet']);

/** Reads an xlsx file into a document. Throws FormatError if the file is damaged or exceeds a limit. */
export function readXlsx(bytes: Uint8Array, options: ReadOptions): ReadResult {
  const limits = { ...defaultLimits, ...options.limits };
  const archive = openZip(bytes, limits);
  const { main, relations, partOf, entries, names, others, date1904, calculation, activeTab, firstTab } =
    openWorkbook(archive);
  const document = new SheetDocument();
  document.workbook.iteration = iterationOf(calculation);
  const stylesXml = partText(archive, partOf('styles') ?? '');
  const theme = readTheme(archive, partOf('theme'), stylesXml === undefined ? [] : readPalette(stylesXml));
  const styles = stylesXml === undefined ? undefined : readStyles(stylesXml, theme);
  const warnings = new Set<string>();
  const keeper = new PassthroughReader(archive, warnings);
  const texts = partReader(archive, partOf('sharedStrings') ?? '');
  const book: ImportContext = {
    document,
    cellFormats: styles?.cellFormats ?? [],
    styleIds: [],
    formats: styles?.passthrough?.formats ?? [],
    passthrough: keeper,
    persons: readPersons(archive, relations.values()),
    sharedStrings:
      texts === undefined
        ? { ids: [], rich: new Map() }
        : readSharedStrings(texts, document.workbook.strings, {
            styleOf: (properties) => runStyle(properties, theme),
            word: (xml) => keeper.word(xml),
          }),
    theme,
    date1904,
    marksDynamic: partOf('sheetMetadata') !== undefined,
    owner: options.owner,
    newId: options.newId,
    maxCells: limits.maxCells,
    warnings,
    tables: new TableReferences(),
    externalBooks: readExternalWorkbooks(archive, relations, others),
    undefinedNames: new Set<string>(),
    cells: 0,
  };
  const sheets = entries.flatMap(({ name, relation, state }, entry) => {
    const target = relations.get(relation);
    if (target?.kind !== 'worksheet' || !archive.has(target.target)) {
      if (target && !otherSheets.has(target.kind)) book.warnings.add(`'${name}' is not a worksheet and was skipped`);
      return [];
    }
    const place = document.subSheets.length;
    return [
      {
        sub: document.add(options.newSheetId(), 'worksheet', uniqueSheetName(document, name), place, place + 1),
        part: target.target,
        entry,
        state,
      },
    ];
  });
  if (sheets.length === 0) throw damaged('it has no worksheets');
  if (sheets.length > maxSheets) throw new FormatError('too_large', `The workbook has more than ${maxSheets} sheets.`);
  const books = book.externalBooks.length > 0 ? { books: book.externalBooks } : {};
  // Set `kept` before formulas are read, because formulas look up the cell values of external workbooks in `kept`.
  document.kept = { texts: [], parts: {}, root: [], workbook: [], others: [], elements: {}, ...books };
  const drawings: { sub: SubSheet; found: ParsedDrawing[] }[] = [];
  const readers = sheets.map(({ sub, part, state, entry }) => {
    const own = readRelationships(archive, part);
    const reader = new SheetReader(book, sub, part, own);
    reader.read(partReader(archive, part)!, readTables(archive, own, book.tables, sub), archive, {
      state,
      isActive: entry === activeTab,
    });
    for (const one of own.values())
      if (one.kind === 'drawing') {
        const found = readDrawing(archive, one.target, sub);
        drawings.push({ sub, found });
        if (found.length === 0) reader.keepEmptyDrawing(one);
      }
    return reader;
  });
  const keptNames = defineNames(document, new Map(sheets.map(({ sub, entry }) => [entry, sub])), names, book);
  for (const reader of readers) reader.placeFormulas();
  calculate(document, options, book.warnings);
  for (const reader of readers) reader.placeFilters();
  // SUBTOTAL ignores rows hidden by filters, so recalculate after the filters are set.
  if (document.subSheets.some((sub) => sub.filters.some(({ hidden }) => hidden.length > 0))) {
    document.looksChanged = true;
    calculate(document, options, book.warnings);
  }
  for (const reader of readers) reader.recordRichValues();
  for (const { sub, part } of sheets) importPivots(archive, book, sub, part, options);
  for (const sub of document.subSheets)
    for (const table of sub.tables) keeper.recordRead(table.source, ...tableFingerprints(document, sub, table));
  const drawn = new DrawingPassthrough(archive, keeper);
  const images = drawings.flatMap(({ sub, found }) => importDrawings(archive, book, sub, found, drawn));
  importChartSheets(entries, relations, sheets, drawn, warnings);
  const kept = readWorkbookPassthrough(archive, main, keeper, styles?.passthrough, others, warnings);
  document.kept = {
    ...kept,
    ...books,
    texts: keeper.texts,
    parts: keeper.parts,
    ...(keeper.looks.length > 0 ? { looks: keeper.looks } : {}),
    ...(keeper.words.length > 0 ? { words: keeper.words } : {}),
    ...(keeper.formulas.length > 0 ? { formulas: keeper.formulas } : {}),
    ...shownTabs(entries, sheets, activeTab, firstTab),
    ...(keptNames.length > 0 ? { names: keptNames } : {}),
  };
  return { document, images, warnings: [...warnings] };
}

/** Returns the active sheet and the first sheet in view in the tab bar, each as sub-sheet id or chart sheet name. */
function shownTabs(
  entries: readonly SheetEntry[],
  sheets: readonly { readonly sub: SubSheet; readonly entry: number }[],
  active: number,
  first: number,
): Pick<KeptBook, 'activeSheet' | 'firstSheet'> {
  const nameOf = (tab: number): string | undefined =>
    sheets.find(({ entry }) => entry === tab)?.sub.id ?? entries[tab]?.name;
  const activeSheet = nameOf(active);
  const firstSheet = first > 0 ? nameOf(first) : undefined;
  return { ...(activeSheet ? { activeSheet } : {}), ...(firstSheet ? { firstSheet } : {}) };
}

function readTheme(archive: ZipArchive, part: string | undefined, palette: readonly string[]): Theme {
  const colors = new Map<string, string>();
  const xml = part === undefined ? undefined : partText(archive, part);
  if (xml !== undefined) {
    eachElement(xml, 'theme', {
      open({ name, attributes, path }) {
        const owner = path.at(-1);
        if (!owner || path.at(-2) !== 'clrScheme') return;
        const value =
          name === 'sysClr' ? attributes.get('lastClr') : name === 'srgbClr' ? attributes.get('val') : undefined;
        if (value && /^[0-9A-Fa-f]{6}$/.test(value)) colors.set(owner, value.toUpperCase());
      },
    });
  }
  return themeOf(colors, palette);
}

/**
 * Returns a sheet name that is valid in formulas and unique in the document, because a malicious file may contain any
 * text as a name.
 */
function uniqueSheetName(document: SheetDocument, given: string): string {
  const plain = given
    .replace(/[:\\/?*[\]\p{Cc}]/gu, '_')
    .replace(/^'+|'+$/g, '')
    .slice(0, 255);
  const named = plain.trim() === '' ? 'Sheet' : plain;
  return uniqueName(
    (number) => (number === 1 ? named : `${named.slice(0, maxSheetName - 4)} (${number})`),
    (name) => document.byName(name) !== undefined,
  );
}

function readTables(
  archive: ZipArchive,
  relations: ReadonlyMap<string, Relationship>,
  tables: TableReferences,
  sub: SubSheet,
): XmlReader[] {
  return [...relations.values()].flatMap((one) => {
    const xml = one.kind === 'table' ? partText(archive, one.target) : undefined;
    if (xml === undefined) return [];
    tables.add(xml, one.target, sub.name);
    return [new XmlReader(new StringSource(xml), one.target)];
  });
}

function calculate(document: SheetDocument, options: ReadOptions, warnings: Set<string>): void {
  document.clock = { now: options.now, seed: 0 };
  try {
    recalculateDocument(document, { now: options.now, seed: 0, limit: options.budget });
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    document.workbook.acceptValues();
    warnings.add('the formulas take too long to compute; the values that the file holds were kept');
  }
}

function importPivots(
  archive: ZipArchive,
  book: ImportContext,
  sub: SubSheet,
  part: string,
  { now, budget }: ReadOptions,
): void {
  for (const one of readRelationships(archive, part).values()) {
    if (one.kind !== 'pivotTable') continue;
    try {
      const id = book.newId('pivot');
      const captions = importPivot(archive, one.target, book.document, sub, id, { now, seed: 0, limit: budget });
      if (captions) {
        storePivotXml(archive, one.target, book, id, captions);
        continue;
      }
    } catch (error) {
      if (!(error instanceof BudgetExceeded) && !(error instanceof RangeError)) throw error;
    }
    const kept = capturePivot(archive, one.target, book.passthrough, book.formats);
    if (kept) sub.restore({ carried: [...sub.carried, kept] });
    book.warnings.add(
      `a pivot table on '${sub.name}' is laid out in a way that is not known here; it stays as the values it shows` +
        `${kept ? ', and is kept for export' : ''}`,
    );
  }
}

function unsupportedChartWarning(sub: SubSheet, { kind, cells }: UnsupportedChart): string {
  const why =
    cells === undefined
      ? `is of a kind that is not drawn here (${kind})`
      : `(${kind}) is from cells that charts here do not take (${cells.slice(0, 200)})`;
  return `a chart on '${sub.name}' ${why}; it is kept for export`;
}

function importDrawings(
  archive: ZipArchive,
  book: ImportContext,
  sub: SubSheet,
  found: readonly ParsedDrawing[],
  keeper: DrawingPassthrough,
): ParsedImage[] {
  const stored = new Map<string, ParsedImage>();
  const images: FloatImage[] = [];
  const charts: Chart[] = [];
  const carried: PassthroughElement[] = [];
  for (const { kind, drawing, index, part, name, anchor } of found) {
    if (kind !== 'other' && !archive.has(part)) continue;
    const read = kind === 'chart' ? readChart : kind === 'chartEx' ? readChartEx : undefined;
    const chart = read?.(partText(archive, part) ?? '', part, book.document, sub, book.newId('chart'), anchor);
    const frameOf = (): { frame?: KeptFrame } => {
      const one = keeper.frame(drawing, index, part);
      return one ? { frame: { ...one, read: anchor } } : {};
    };
    if (chart && 'id' in chart) {
      const kept = keeper.chart(part);
      charts.push({ ...chart, ...(kept ? { kept } : {}), ...frameOf() });
      continue;
    }
    const image = kind === 'image' ? (stored.get(part) ?? imageOf(archive, part, book)) : undefined;
    if (!image) {
      if (chart) book.warnings.add(unsupportedChartWarning(sub, chart));
      const one = keeper.capture(drawing, index);
      if (one) carried.push(one);
      continue;
    }
    stored.set(part, image);
    images.push({
      id: book.newId('image'),
      name: name || `Image ${images.length + 1}`,
      blob: image.key,
      mime: image.mime,
      anchor,
      ...frameOf(),
    });
  }
  sub.restore({
    ...(images.length > 0 ? { images } : {}),
    ...(charts.length > 0 ? { charts } : {}),
    ...(carried.length > 0 ? { carried: [...sub.carried, ...carried] } : {}),
  });
  return [...stored.values()];
}

/**
 * Stores chart sheets and dialog sheets, which documents do not model, for export. Each is attached to the sub-sheet
 * before it, or to the first sub-sheet if none is before it. The id of the sub-sheet before it is stored too, so that
 * the export can restore its position.
 */
function importChartSheets(
  entries: readonly SheetEntry[],
  relations: ReadonlyMap<string, Relationship>,
  sheets: readonly { readonly sub: SubSheet; readonly entry: number }[],
  keeper: DrawingPassthrough,
  warnings: Set<string>,
): void {
  entries.forEach(({ name, relation, state }, entry) => {
    const target = relations.get(relation);
    if (!target || !otherSheets.has(target.kind)) return;
    const before = sheets.findLast((one) => one.entry < entry);
    const carrier = before?.sub ?? sheets[0]!.sub;
    const made = keeper.chartSheet(target.target, [name, state ?? '', before?.sub.id ?? '', target.kind]);
    if (made) carrier.restore({ carried: [...carrier.carried, made] });
    const kind = target.kind === 'chartsheet' ? 'chart sheet' : 'dialog sheet';
    warnings.add(`'${name}' is a ${kind}, which is not shown here; it is kept for export`);
  });
}

function imageOf(archive: ZipArchive, part: string, book: ImportContext): ParsedImage | undefined {
  const size = archive.find(part)?.size ?? 0;
  const bytes = size > maxImageBytes ? undefined : archive.read(part);
  const mime = bytes && imageMime(bytes);
  if (!bytes || !mime) {
    book.warnings.add(
      'pictures that are no PNG, JPEG, GIF or WebP, or larger than 10 MB, are not shown here; they are kept for export',
    );
    return undefined;
  }
  const id = book.newId('img');
  return { id, key: `images/${id}`, mime, bytes: new Uint8Array(bytes) };
}
