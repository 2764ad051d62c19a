import {
  type SheetDocument,
  type Filter,
  type PivotTable,
  meets,
  rectOf,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import { rectName } from '@sheaf/engine';
import { PersonList } from './comment-threads.ts';
import { writeComments } from './write-comments.ts';
import { PassthroughWriter } from './passthrough/passthrough-writer.ts';
import { fillPlaceholders, ownNumber } from './passthrough/placeholders.ts';
import { filterOf, writeTable } from './write-tables.ts';
import { RelationshipsWriter } from './relationships-writer.ts';
import { SharedStringsWriter } from './shared-strings-writer.ts';
import { defaultTheme } from './default-theme.ts';
import { writeDrawings } from './write-drawing-part.ts';
import { pivotFingerprint, pivotParts } from './write-pivot.ts';
import { namesXml } from './write-defined-names.ts';
import { claimName } from './unique-name.ts';
import { cellMetadata } from './write-cell-metadata.ts';
import { ContentTypes, officeTypes, type ExportContext } from './export-context.ts';
import { filterXml } from './write-filter.ts';
import { writeSheet, type SheetParts } from './write-sheet.ts';
import { StyleWriter } from './write-styles.ts';
import { xmlDeclaration, mainNamespace, relationshipsNamespace, xmlEscape } from './xml-escape.ts';
import { ZipWriter } from '../zip/writer.ts';

export interface XlsxOptions {
  /** Image bytes by blob store key; images without an entry are not exported. */
  readonly images?: ReadonlyMap<string, Uint8Array>;
  readonly at?: Date;
}

export function writeXlsx(document: SheetDocument, options: XlsxOptions = {}): Uint8Array {
  const zip = new ZipWriter(options.at ?? new Date());
  const contents = new ContentTypes();
  const styles = new StyleWriter(document.styles, document.kept);
  const metadata = cellMetadata(document.kept?.metadata);
  const making: ExportContext = {
    document,
    zip,
    contents,
    styles,
    kept: new PassthroughWriter(document.kept, { zip, contents }, styles),
    people: new PersonList(),
    tableNames: new Set(document.workbook.tables.list().map(({ name }) => name.toUpperCase())),
    texts: new SharedStringsWriter(document.workbook.strings, document.kept?.words ?? []),
    images: options.images ?? new Map(),
    stored: new Map(),
    dynamicMark: metadata.dynamic,
    keptPivots: 0,
    charts: 0,
    drawings: 0,
    tables: 0,
    pivots: [],
  };
  const workbook = new RelationshipsWriter();
  const filters = new Map<SubSheet, Filter | undefined>();
  const active = activeSheet(document);
  const isChart = chartSheetNamed(document, document.kept?.activeSheet);
  const isImportedTab = active?.id === document.kept?.activeSheet;
  const sheets = document.subSheets.map((sub, index) => {
    const part = `xl/worksheets/sheet${index + 1}.xml`;
    const selection = { isActive: sub === active && !isChart, keepsSelection: isChart || isImportedTab };
    filters.set(sub, writeSubSheet(making, sub, part, index, selection, workbook));
    contents.add(part, `${officeTypes}.spreadsheetml.worksheet+xml`);
    // A workbook must have a visible sheet, so the active sheet is never written as hidden.
    const state = sub === active ? undefined : sub.setup.visibility;
    return {
      sub,
      xml:
        `<sheet name="${xmlEscape(sub.name)}" sheetId="${index + 1}"${state ? ` state="${state}"` : ''} ` +
        `r:id="${workbook.add('worksheet', part.slice(3))}"/>`,
    };
  });
  const tabs = withChartSheets(making, sheets, workbook);
  const register = (kind: string, part: string, type = `spreadsheetml.${kind}`): void => {
    contents.add(`xl/${part}`, `${officeTypes}.${type}+xml`);
    workbook.add(kind, part);
  };
  making.texts.write(zip, 'xl/sharedStrings.xml');
  register('sharedStrings', 'sharedStrings.xml');
  zip.add('xl/styles.xml', making.styles.xml());
  register('styles', 'styles.xml');
  zip.add('xl/metadata.xml', metadata.xml);
  register('sheetMetadata', 'metadata.xml');
  const { kept } = making;
  const others = (document.kept?.others ?? []).flatMap((one) => kept.relate(one, workbook) ?? []);
  const relationIds = (document.kept?.workbook ?? []).map((one) => kept.relate(one, workbook) ?? '');
  making.people.write(making, workbook);
  if (!document.kept?.workbook.some(({ type }) => type.endsWith('/theme'))) {
    zip.add('xl/theme/theme1.xml', defaultTheme);
    register('theme', 'theme/theme1.xml', 'theme');
  }
  zip.add('xl/workbook.xml', workbookXml(making, tabs, active, filters, { others, relationIds }));
  contents.add('xl/workbook.xml', `${officeTypes}.spreadsheetml.sheet.main+xml`);
  zip.add('xl/_rels/workbook.xml.rels', workbook.xml());
  const root = new RelationshipsWriter();
  root.add('officeDocument', 'xl/workbook.xml');
  for (const one of document.kept?.root ?? []) kept.relate(one, root);
  zip.add('_rels/.rels', root.xml());
  kept.flush();
  zip.add('[Content_Types].xml', contents.xml());
  return zip.finish();
}

/**
 * Returns the sheet that is active when the file is opened: the active sheet of the imported file if it is visible,
 * otherwise the first visible sheet, or the first sheet if all are hidden.
 */
function activeSheet({ subSheets, kept }: SheetDocument): SubSheet | undefined {
  const visible = subSheets.filter((sub) => sub.setup.visibility === undefined);
  return visible.find((sub) => sub.id === kept?.activeSheet) ?? visible[0] ?? subSheets[0];
}

function chartSheetNamed({ subSheets, kept }: SheetDocument, name: string | undefined): boolean {
  return subSheets.some(({ carried }) =>
    carried.some((one) => one.kind === 'chartsheet' && kept?.texts[one.text]?.pieces?.[0] === name),
  );
}

interface SheetEntry {
  /** The sub-sheet of this entry; undefined for a chart sheet. */
  readonly sub?: SubSheet;
  /** Name of the chart sheet; undefined for a sub-sheet. */
  readonly name?: string;
  readonly xml: string;
}

/**
 * Returns the sheets with each imported chart sheet inserted after the sub-sheet that it followed in the imported
 * file.
 */
function withChartSheets(
  { document, kept }: ExportContext,
  sheets: readonly SheetEntry[],
  workbook: RelationshipsWriter,
): SheetEntry[] {
  const tabs = [...sheets];
  const names = new Set(document.subSheets.map((sub) => sub.name.toUpperCase()));
  let number = sheets.length;
  // Iterate in reverse, so that several chart sheets after the same sub-sheet keep their order.
  for (const one of document.subSheets
    .flatMap((sub) => sub.carried)
    .filter(({ kind }) => kind === 'chartsheet')
    .reverse()) {
    const [name = '', state = '', after = '', kind = 'chartsheet'] = kept.text(one)?.pieces ?? [];
    const path = names.has(name.toUpperCase()) ? undefined : kept.partOf(one);
    if (path === undefined) continue;
    names.add(name.toUpperCase());
    const at = tabs.findIndex(({ sub }) => sub?.id === after);
    const id = workbook.addTyped(`${relationshipsNamespace}/${kind}`, `/${path}`, false);
    const xml = `<sheet name="${xmlEscape(name)}" sheetId="${++number}"${state ? ` state="${xmlEscape(state)}"` : ''} r:id="${id}"/>`;
    tabs.splice(after === '' ? 0 : at < 0 ? tabs.length : at + 1, 0, { name, xml });
  }
  return tabs;
}

/** Elements at the end of `workbook.xml`, copied from the imported file in the order that the schema requires. */
const lastElements = ['smartTagPr', 'smartTagTypes', 'webPublishing', 'fileRecoveryPr', 'webPublishObjects', 'extLst'];

function workbookXml(
  { document, pivots }: ExportContext,
  tabs: readonly SheetEntry[],
  active: SubSheet | undefined,
  filters: ReadonlyMap<SubSheet, Filter | undefined>,
  { others, relationIds }: { readonly others: readonly string[]; readonly relationIds: readonly string[] },
): string {
  const { calculation = {} } = document.kept ?? {};
  const elements = Object.fromEntries(
    Object.entries(document.kept?.elements ?? {}).map(([name, xml]) => [
      name,
      fillPlaceholders(xml, (_, index) => relationIds[index] ?? ''),
    ]),
  );
  const calculating = Object.entries(calculation).map(([key, value]) => ` ${key}="${xmlEscape(value)}"`);
  const places = new Map(tabs.flatMap(({ sub }, index) => (sub ? [[sub.id, index] as const] : [])));
  const tabOf = (shown: string | undefined): number | undefined => {
    const tab = tabs.findIndex(({ sub, name }) => shown !== undefined && (sub?.id ?? name) === shown);
    return tab < 0 ? undefined : tab;
  };
  const first = tabOf(document.kept?.firstSheet);
  const isChart = chartSheetNamed(document, document.kept?.activeSheet);
  const current = tabOf(isChart ? document.kept?.activeSheet : active?.id) ?? 0;
  const references = others.map((id) => `<externalReference r:id="${id}"/>`);
  return (
    `${xmlDeclaration}<workbook xmlns="${mainNamespace}" xmlns:r="${relationshipsNamespace}">${elements['fileSharing'] ?? ''}` +
    `${elements['workbookPr'] ? `<workbookPr${elements['workbookPr']}/>` : ''}${elements['workbookProtection'] ?? ''}` +
    `<bookViews><workbookView${elements['view'] ?? ''} activeTab="${current}"${first === undefined ? '' : ` firstSheet="${first}"`}/></bookViews>` +
    `<sheets>${tabs.map(({ xml }) => xml).join('')}</sheets>${elements['functionGroups'] ?? ''}` +
    (references.length > 0 ? `<externalReferences>${references.join('')}</externalReferences>` : '') +
    `${namesXml(document, filters, places)}<calcPr calcId="191029"${calculating.join('')} fullCalcOnLoad="1"/>` +
    `${elements['oleSize'] ?? ''}${elements['customWorkbookViews'] ?? ''}${pivotCaches(pivots)}` +
    `${lastElements.map((name) => elements[name] ?? '').join('')}</workbook>`
  );
}

/**
 * Writes a sub-sheet with its charts, tables, comments and pivot tables. The file format allows one filter per sheet;
 * other filters are written as tables if possible and omitted otherwise. Returns that one filter, if there is one.
 */
function writeSubSheet(
  making: ExportContext,
  sub: SubSheet,
  part: string,
  index: number,
  selection: Pick<SheetParts, 'isActive' | 'keepsSelection'>,
  workbook: RelationshipsWriter,
): Filter | undefined {
  const { document, zip } = making;
  const relations = new RelationshipsWriter();
  const drawing = writeDrawings(making, sub, relations);
  const inTables = new Set(sub.tables.map((one) => filterOf(sub, one)));
  const free = sub.filters.filter((filter) => !inTables.has(filter));
  const own = free.find((filter) => !canBeTable(document, sub, filter)) ?? free[0];
  const tables = [
    ...sub.tables.map((one) =>
      relations.add('table', writeTable(document, sub, one, ++making.tables, making, making.kept)),
    ),
    ...free
      .filter((filter) => filter !== own && canBeTable(document, sub, filter))
      .map((filter) => writeFilterTable(making, sub, filter, relations)),
  ];
  writeSheet(zip, part, document, sub, {
    styles: making.styles,
    texts: making.texts,
    relations,
    drawing,
    tables,
    filter: own,
    notes: writeComments(sub, index + 1, making, making.kept, making.people, relations),
    ...selection,
    dynamicMark: making.dynamicMark,
    kept: making.kept,
  });
  writePivots(making, sub, relations, workbook);
  writePassthroughPivots(making, sub, relations, workbook);
  making.kept.flush();
  if (!relations.isEmpty) zip.add(`xl/worksheets/_rels/sheet${index + 1}.xml.rels`, relations.xml());
  return own;
}

function writePassthroughPivots(
  making: ExportContext,
  sub: SubSheet,
  relations: RelationshipsWriter,
  workbook: RelationshipsWriter,
): void {
  const { kept, zip, contents } = making;
  for (const one of sub.carried.filter(({ kind }) => kind === 'pivotTable')) {
    const key = kept.text(one)?.pieces?.[0] ?? '';
    const cache = kept.part(key);
    if (cache === undefined) continue;
    const number = cacheNumber(making, workbook, cache, kept.text(one)?.pieces?.[1]);
    const part = `xl/pivotTables/kept-pivotTable${++making.keptPivots}.xml`;
    const placeOf = (piece: string): string => String(piece === key ? number : making.styles.format(piece));
    zip.add(part, xmlDeclaration + kept.fill(one, relations, placeOf));
    contents.add(part, `${officeTypes}.spreadsheetml.pivotTable+xml`);
    const own = new RelationshipsWriter();
    own.add('pivotCacheDefinition', `/${cache}`);
    kept.relationsOf(part, own);
    relations.add('pivotTable', `/${part}`);
  }
}

/**
 * Writes the definitions of a sub-sheet's pivot tables, so that programs can refresh them. Their output is written with
 * the other cells.
 */
function writePivots(
  making: ExportContext,
  sub: SubSheet,
  relations: RelationshipsWriter,
  workbook: RelationshipsWriter,
): void {
  const { document, zip, contents } = making;
  for (const pivot of document.pivots.filter((one) => one.sheet === sub.id)) {
    if (writeImportedPivot(making, pivot, relations, workbook)) continue;
    const number = making.pivots.length + 1;
    const cacheId = freeCacheNumber(making);
    const parts = pivotParts(document, pivot, cacheId);
    if (!parts) continue;
    const cache = `pivotCache/pivotCacheDefinition${number}.xml`;
    const table = `pivotTables/pivotTable${number}.xml`;
    zip.add(`xl/${cache}`, parts.cache);
    contents.add(`xl/${cache}`, `${officeTypes}.spreadsheetml.pivotCacheDefinition+xml`);
    making.pivots.push({ relation: workbook.add('pivotCacheDefinition', cache), cacheId });
    zip.add(`xl/${table}`, parts.table);
    contents.add(`xl/${table}`, `${officeTypes}.spreadsheetml.pivotTable+xml`);
    const own = new RelationshipsWriter();
    own.add('pivotCacheDefinition', `../${cache}`);
    zip.add(`xl/pivotTables/_rels/pivotTable${number}.xml.rels`, own.xml());
    relations.add('pivotTable', `../${table}`);
  }
}

/**
 * Writes the imported XML of a pivot table. Returns false and writes nothing if the pivot table was not imported or has
 * changed since the import.
 */
function writeImportedPivot(
  making: ExportContext,
  pivot: PivotTable,
  relations: RelationshipsWriter,
  workbook: RelationshipsWriter,
): boolean {
  const { document, kept, zip, contents } = making;
  const text = pivot.words === undefined ? undefined : kept.textAt(pivot.words);
  const cache = text?.read === pivotFingerprint(document, pivot) ? text.linked?.[0]?.part : undefined;
  const path = cache === undefined ? undefined : kept.part(cache);
  if (path === undefined) return false;
  const told = text?.pieces?.find((piece) => piece.startsWith(ownNumber))?.slice(ownNumber.length);
  const number = cacheNumber(making, workbook, path, told);
  const own = new RelationshipsWriter();
  const xml = kept.unchanged(pivot.words, () => text!.read!, [pivot.row, pivot.col], own, number)!;
  const part = `xl/pivotTables/kept-pivotTable${++making.keptPivots}.xml`;
  zip.add(part, xmlDeclaration + xml);
  contents.add(part, `${officeTypes}.spreadsheetml.pivotTable+xml`);
  kept.relationsOf(part, own);
  relations.add('pivotTable', `/${part}`);
  return true;
}

/**
 * Returns the number of an imported pivot cache (stored description of the source data), which several pivot tables may
 * share. The imported number is used if it is free, because slicers (filter buttons) refer to it.
 */
function cacheNumber(
  making: ExportContext,
  workbook: RelationshipsWriter,
  path: string,
  told: string | undefined,
): number {
  const relation = workbook.addTyped(`${relationshipsNamespace}/pivotCacheDefinition`, `/${path}`, false);
  const known = making.pivots.find((one) => one.relation === relation);
  if (known) return known.cacheId;
  const wanted = Number.parseInt(told?.trim() ?? '', 10);
  const isFree = wanted >= 0 && making.pivots.every(({ cacheId }) => cacheId !== wanted);
  const cacheId = isFree ? wanted : freeCacheNumber(making);
  making.pivots.push({ relation, cacheId });
  return cacheId;
}

function freeCacheNumber({ pivots }: ExportContext): number {
  return Math.max(0, ...pivots.map(({ cacheId }) => cacheId)) + 1;
}

function pivotCaches(caches: ExportContext['pivots']): string {
  return caches.length > 0
    ? `<pivotCaches>${caches.map(({ relation, cacheId }) => `<pivotCache cacheId="${cacheId}" r:id="${relation}"/>`).join('')}</pivotCaches>`
    : '';
}

/**
 * Returns whether a filter can be written as a table. This requires distinct header texts, rows below the header, and a
 * range without merged cells and other tables. A file allows one filter per sheet, so others become tables.
 */
function canBeTable(document: SheetDocument, sub: SubSheet, { region }: Filter): boolean {
  const [top, left, bottom, right] = region;
  if (bottom === top || sub.merges.meeting(rectOf(region)).length > 0) return false;
  if (sub.tables.some((one) => meets(rectOf(one.regions[0]!), rectOf(region)))) return false;
  const headings = headingsOf(document, sub, region);
  return (
    headings.every((text) => text !== undefined && text !== '') &&
    new Set(headings.map((text) => text?.toUpperCase())).size === right - left + 1
  );
}

function headingsOf(
  document: SheetDocument,
  sub: SubSheet,
  [top, left, , right]: Filter['region'],
): (string | undefined)[] {
  return Array.from({ length: right - left + 1 }, (_, i) => {
    const value = document.value(sub, top, left + i);
    return typeof value === 'string' && document.formula(sub, top, left + i) === undefined ? value : undefined;
  });
}

function writeFilterTable(
  making: ExportContext,
  sub: SubSheet,
  filter: Filter,
  relations: RelationshipsWriter,
): string {
  const number = ++making.tables;
  const part = `xl/tables/table${number}.xml`;
  const columns = headingsOf(making.document, sub, filter.region).map(
    (text, i) => `<tableColumn id="${i + 1}" name="${xmlEscape(text ?? '')}"/>`,
  );
  const name = claimName(making.tableNames, (again) => (again === 1 ? `Filter${number}` : `Filter${number}_${again}`));
  making.zip.add(
    part,
    `${xmlDeclaration}<table xmlns="${mainNamespace}" id="${number}" name="${name}" displayName="${name}" ` +
      `ref="${rectName(rectOf(filter.region))}" totalsRowShown="0">` +
      `${filterXml(filter)}<tableColumns count="${columns.length}">${columns.join('')}</tableColumns>` +
      '</table>',
  );
  making.contents.add(part, `${officeTypes}.spreadsheetml.table+xml`);
  return relations.add('table', `../tables/table${number}.xml`);
}
