import { conditionalFormatsXml, validationXml } from './rules/write-rules.ts';
import type { Filter, Runs, SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import { cellName, parseRect, rectName } from '@sheaf/engine';
import type { RelationshipsWriter } from './relationships-writer.ts';
import type { SharedStringsWriter } from './shared-strings-writer.ts';
import type { PassthroughWriter } from './passthrough/passthrough-writer.ts';
import { linksXml } from './hyperlinks.ts';
import { CellWriter } from './write-cells.ts';
import { changedFilterXml, filterFingerprint } from './write-filter.ts';
import { columnsXml, defaultColumnWidth, pixelsPerCharacter } from './write-columns.ts';
import { pageSetupXml, withFitToPage } from './write-page-setup.ts';
import type { StyleWriter } from './write-styles.ts';
import { xmlDeclaration, mainNamespace, relationshipsNamespace, xmlEscape } from './xml-escape.ts';
import type { ZipWriter } from '../zip/writer.ts';

export interface SheetParts {
  readonly styles: StyleWriter;
  readonly texts: SharedStringsWriter;
  readonly relations: RelationshipsWriter;
  readonly drawing: string | undefined;
  readonly tables: readonly string[];
  /**
   * The filter that is written as the element `autoFilter` of the sheet. An XLSX file can contain only one such element
   * per sheet. Further filters are written as tables if possible.
   */
  readonly filter: Filter | undefined;
  /** Relationship id of the VML drawing with the note boxes. */
  readonly notes: string | undefined;
  readonly isActive: boolean;
  /** True if the active sheet of the imported file is still active. The imported selection of sheets is then valid. */
  readonly keepsSelection: boolean;
  /** Number of the cell metadata entry (attribute `cm`) that marks a formula as a dynamic array. */
  readonly dynamicMark: number;
  readonly kept: PassthroughWriter;
}

export function writeSheet(
  zip: ZipWriter,
  name: string,
  document: SheetDocument,
  sub: SubSheet,
  parts: SheetParts,
): void {
  const cells = new CellWriter(document, sub, parts);
  const { kept, relations } = parts;
  const carried = (...kinds: string[]): void => {
    for (const kind of kinds) zip.push(kept.of(sub, kind, relations).join(''));
  };
  zip.begin(name);
  const used = document.usedRange(sub);
  zip.push(
    `${xmlDeclaration}<worksheet xmlns="${mainNamespace}" xmlns:r="${relationshipsNamespace}">${propertiesOf(sub, parts.filter)}` +
      `<dimension ref="${used ? rectName(used) : 'A1'}"/>`,
  );
  zip.push(viewOf(sub, parts));
  zip.push(`${formatOf(sub, document.kept !== undefined)}${columnsXml(document, sub, cells, parts.styles)}<sheetData>`);
  cells.write(zip);
  zip.push('</sheetData>');
  carried('sheetCalcPr');
  zip.push(protectionOf(sub));
  listed(zip, 'protectedRanges', kept.of(sub, 'protectedRange', relations), '');
  carried('scenarios');
  if (parts.filter) {
    const { source, region } = parts.filter;
    const now = (): string => filterFingerprint(parts.filter!);
    zip.push(
      kept.unchanged(source, now, [region[0], region[1]], relations) ??
        changedFilterXml(parts.filter, kept, relations, kept.of(sub, 'filterSort', relations)[0]),
    );
  }
  carried('sortState');
  carried('dataConsolidate', 'customSheetViews');
  listed(zip, 'mergeCells', mergesOf(sub), '', true);
  carried('phoneticPr', 'conditionalFormatting');
  zip.push(conditionalFormatsXml(document, sub, kept.styles));
  listed(
    zip,
    'dataValidations',
    [...kept.of(sub, 'dataValidation', relations), ...sub.validations.map((one) => validationXml(one, document, sub))],
    sub.setup.more?.['dataValidations'] ?? '',
    true,
  );
  zip.push(linksXml(document, sub, kept, relations));
  zip.push(pageSetupXml(document, sub, kept, relations));
  breaks(zip, sub, 'rowBreaks', kept, relations);
  breaks(zip, sub, 'colBreaks', kept, relations);
  carried('customProperties');
  listed(zip, 'cellWatches', kept.of(sub, 'cellWatch', relations), '');
  listed(zip, 'ignoredErrors', kept.of(sub, 'ignoredError', relations), '');
  if (parts.drawing) zip.push(`<drawing r:id="${parts.drawing}"/>`);
  else carried('emptyDrawing');
  if (parts.notes) zip.push(`<legacyDrawing r:id="${parts.notes}"/>`);
  carried('legacyDrawingHF', 'picture', 'oleObjects', 'controls', 'webPublishItems');
  if (parts.tables.length > 0)
    zip.push(
      `<tableParts count="${parts.tables.length}">${parts.tables.map((id) => `<tablePart r:id="${id}"/>`).join('')}</tableParts>`,
    );
  else if (sub.setup.more?.['tableParts'] !== undefined) zip.push('<tableParts count="0"/>');
  zip.push(extensions(sub, kept, relations));
  carried('relation');
  zip.push('</worksheet>');
  zip.end();
}

function listed(zip: ZipWriter, name: string, items: readonly string[], attributes: string, counted = false): void {
  if (items.length > 0)
    zip.push(`<${name}${counted ? ` count="${items.length}"` : ''}${attributes}>${items.join('')}</${name}>`);
}

/**
 * Returns the XML of the merged ranges. Ranges that the imported file wrote differently, for example with `$`, keep
 * that form.
 */
function mergesOf({ merges, setup }: SubSheet): string[] {
  const spelled = new Map<string, string>();
  for (const ref of setup.more?.['merges']?.split(' ') ?? []) {
    const rect = parseRect(ref);
    if (rect) spelled.set(rectName(rect), ref);
  }
  return merges.list().map((rect) => `<mergeCell ref="${spelled.get(rectName(rect)) ?? rectName(rect)}"/>`);
}

/** Writes the page breaks of a sheet. Deleting rows or columns can cause duplicates, which are omitted. */
function breaks(
  zip: ZipWriter,
  sub: SubSheet,
  kind: 'rowBreaks' | 'colBreaks',
  kept: PassthroughWriter,
  relations: RelationshipsWriter,
): void {
  const byPlace = new Map<number, string>();
  for (const one of sub.carried) {
    const [row = 0, col = 0] = one.points?.[0] ?? [];
    const at = kind === 'rowBreaks' ? row : col;
    if (one.kind === kind && at > 0) byPlace.set(at, kept.fill(one, relations));
  }
  const items = [...byPlace].sort(([a], [b]) => a - b).map(([, xml]) => xml);
  const manual = items.filter((xml) => xml.includes(' man="1"')).length;
  listed(zip, kind, items, ` manualBreakCount="${manual}"`, true);
}

/**
 * Returns the XML of the imported extensions (`ext` elements) that were stored unchanged. Items with the same
 * extension URI are written into one element.
 */
function extensions(sub: SubSheet, kept: PassthroughWriter, relations: RelationshipsWriter): string {
  const inside = kept.of(sub, 'ext', relations);
  const kinds = new Set(sub.carried.map((one) => one.kind).filter((kind) => kind.startsWith('ext ')));
  for (const kind of kinds) {
    const [, uri = ''] = kind.split(' ');
    const open = sub.setup.more?.[kind];
    const [tag = ''] = open?.split(' ') ?? [];
    if (open)
      inside.push(`<ext uri="${xmlEscape(uri)}"><${open}>${kept.of(sub, kind, relations).join('')}</${tag}></ext>`);
  }
  return inside.length > 0 ? `<extLst>${inside.join('')}</extLst>` : '';
}

function propertiesOf({ setup }: SubSheet, filter: Filter | undefined): string {
  const attributes =
    (setup.more?.['propertyAttributes'] ?? '') + (filter && filter.hidden.length > 0 ? ' filterMode="1"' : '');
  const inside =
    (setup.tabColor ? `<tabColor ${setup.tabColor}/>` : '') +
    withFitToPage(setup.more?.['properties'] ?? '', setup.page?.fit);
  return attributes || inside ? `<sheetPr${attributes}${inside ? `>${inside}</sheetPr>` : '/>'}` : '';
}

export function deepestLevel(runs: Runs): number {
  return Math.max(0, ...runs.list().map(([, , group]) => group & 7));
}

/**
 * Returns the XML of the default row and column sizes and the outline depth. The sizes are those of the imported file,
 * otherwise those of the document.
 */
function formatOf({ setup, rowGroups, colGroups }: SubSheet, isImported: boolean): string {
  const [rowsRead = '', colsRead = ''] = setup.more?.['outline']?.split(',') ?? [];
  const level = (name: string, runs: Runs, read: string): string => {
    const depth = deepestLevel(runs);
    const imported = new RegExp(`${name}="(\\d+)"`).exec(setup.more?.['outlineLevels'] ?? '')?.[1];
    const written = String(depth) === read ? imported : depth || undefined;
    return written === undefined ? '' : ` ${name}="${written}"`;
  };
  const told =
    setup.more?.['format'] ??
    ` defaultColWidth="${Number(((setup.colWidth ?? defaultColumnWidth) / pixelsPerCharacter).toFixed(6))}" ` +
      `defaultRowHeight="${setup.rowHeight ?? 15}"`;
  if (isImported && setup.more?.['format'] === undefined && rowGroups.isEmpty && colGroups.isEmpty) return '';
  return `<sheetFormatPr${told}${level('outlineLevelRow', rowGroups, rowsRead)}${level('outlineLevelCol', colGroups, colsRead)}/>`;
}

/** Returns the XML of the sheet protection, with the options and password of the imported file. */
function protectionOf({ protections, setup }: SubSheet): string {
  const imported = setup.protection;
  // The imported element may exist although the sheet is not protected: it then holds only options, without
  // `sheet="1"`.
  const isOff = imported !== undefined && imported.ids.length === 0 && !/ sheet="(?:1|true)"/.test(imported.attributes);
  if (protections.length === 0) return isOff ? `<sheetProtection${imported.attributes}/>` : '';
  if (!imported) return '<sheetProtection sheet="1" objects="1" scenarios="1"/>';
  return isOff
    ? `<sheetProtection${imported.attributes.replace(/ sheet="[^"]*"/, '')} sheet="1"/>`
    : `<sheetProtection${imported.attributes}/>`;
}

/**
 * Returns the XML of the sheet's view. The imported panes, selection and scroll position are used if the frozen rows
 * and columns are unchanged.
 */
function viewOf({ freeze, setup, carried }: SubSheet, parts: SheetParts): string {
  const { kept, relations, isActive, keepsSelection } = parts;
  const { rows, cols } = freeze;
  const imported = carried.find((one) => one.kind === 'sheetView');
  const words = imported && kept.text(imported);
  const [frozen, selected, written] = words?.pieces ?? [];
  const isSelected = isActive || (keepsSelection && selected === '1' && setup.visibility === undefined);
  const attributes =
    `${setup.gridlines === false ? ' showGridLines="0"' : ''}${setup.zoom ? ` zoomScale="${setup.zoom}"` : ''}` +
    `${isSelected ? ' tabSelected="1"' : ''} workbookViewId="0"`;
  const isUnmoved = JSON.stringify(words?.offsets) === JSON.stringify(imported?.points);
  if (imported && frozen === `${rows},${cols}`)
    return `<sheetViews>${(isUnmoved && written ? written : kept.fill(imported, relations)).replace('<sheetView', `<sheetView${attributes}`)}</sheetViews>`;
  const start = `<sheetViews><sheetView${setup.more?.['view'] ?? ''}${attributes}`;
  if (rows === 0 && cols === 0) return `${start}/></sheetViews>`;
  const pane = rows > 0 && cols > 0 ? 'bottomRight' : rows > 0 ? 'bottomLeft' : 'topRight';
  const split = (cols > 0 ? ` xSplit="${cols}"` : '') + (rows > 0 ? ` ySplit="${rows}"` : '');
  return (
    `${start}><pane${split} topLeftCell="${cellName(rows, cols)}" activePane="${pane}" state="frozen"/>` +
    `<selection pane="${pane}"/></sheetView></sheetViews>`
  );
}
