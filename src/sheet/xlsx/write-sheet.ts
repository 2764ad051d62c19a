import { type SheetDocument, type Filter, rectOf, Runs, type SubSheet } from '../engine/document.ts';
import { cellName, rectName, maxCols } from '../engine/index.ts';
import type { Relations } from './relations.ts';
import type { TextTable } from './text-table.ts';
import { CellWriter } from './write-cells.ts';
import type { StyleWriter } from './write-styles.ts';
import { head, main, relationships, xmlEscape } from './xml-text.ts';
import type { ZipWriter } from '../../lib/zip/writer.ts';

export const pixelsPerCharacter = 7;
export const cellPadding = 5;

export interface SheetParts {
  readonly styles: StyleWriter;
  readonly texts: TextTable;
  readonly relations: Relations;
  /** Id of the relation to its drawing. */
  readonly drawing: string | undefined;
  /** Ids of the relations to its tables. */
  readonly tables: readonly string[];
  /** The filter written as the sheet's own; others are tables. */
  readonly filter: Filter | undefined;
  readonly isFirst: boolean;
}

export function writeSheet(
  zip: ZipWriter,
  name: string,
  document: SheetDocument,
  sub: SubSheet,
  parts: SheetParts,
): void {
  const cells = new CellWriter(document, sub, parts.styles, parts.texts);
  zip.begin(name);
  const used = document.usedRange(sub);
  zip.push(
    `${head}<worksheet xmlns="${main}" xmlns:r="${relationships}">` +
      `${parts.filter && parts.filter.hidden.length > 0 ? '<sheetPr filterMode="1"/>' : ''}<dimension ` +
      `ref="${used ? rectName(used) : 'A1'}"/>`,
  );
  zip.push(viewOf(sub, parts.isFirst));
  zip.push(`<sheetFormatPr defaultRowHeight="15"/>${columnsOf(sub, cells)}<sheetData>`);
  cells.write(zip);
  zip.push('</sheetData>');
  if (sub.protections.length > 0) zip.push('<sheetProtection sheet="1" objects="1" scenarios="1"/>');
  if (parts.filter) zip.push(filterXml(parts.filter));
  const merges = sub.merges.list();
  if (merges.length > 0)
    zip.push(
      `<mergeCells count="${merges.length}">${merges.map((rect) => `<mergeCell ref="${rectName(rect)}"/>`).join('')}</mergeCells>`,
    );
  zip.push(linksOf(document, sub, parts.relations));
  zip.push('<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/>');
  if (parts.drawing) zip.push(`<drawing r:id="${parts.drawing}"/>`);
  if (parts.tables.length > 0)
    zip.push(
      `<tableParts count="${parts.tables.length}">${parts.tables.map((id) => `<tablePart r:id="${id}"/>`).join('')}</tableParts>`,
    );
  zip.push('</worksheet>');
  zip.end();
}

function viewOf(sub: SubSheet, isFirst: boolean): string {
  const { rows, cols } = sub.freeze;
  const start = `<sheetViews><sheetView${isFirst ? ' tabSelected="1"' : ''} workbookViewId="0"`;
  if (rows === 0 && cols === 0) return `${start}/></sheetViews>`;
  const pane = rows > 0 && cols > 0 ? 'bottomRight' : rows > 0 ? 'bottomLeft' : 'topRight';
  const split = (cols > 0 ? ` xSplit="${cols}"` : '') + (rows > 0 ? ` ySplit="${rows}"` : '');
  return (
    `${start}><pane${split} topLeftCell="${cellName(rows, cols)}" activePane="${pane}" state="frozen"/>` +
    `<selection pane="${pane}"/></sheetView></sheetViews>`
  );
}

/** Neighboring columns of the same width, look and visibility are written as one. */
function columnsOf(sub: SubSheet, cells: CellWriter): string {
  const looks = new Runs();
  if (cells.otherLook !== 0) looks.set(0, maxCols - 1, cells.otherLook);
  for (const [col, { look }] of cells.columnLooks) looks.set(col, col, look);
  const points = new Set<number>([0]);
  for (const runs of [sub.colSizes, sub.hiddenCols, looks]) {
    for (const [start, end] of runs.list()) points.add(start).add(end + 1);
  }
  const starts = [...points].filter((point) => point < maxCols).sort((a, b) => a - b);
  const found = starts.flatMap((start, i) => {
    const end = (starts[i + 1] ?? maxCols) - 1;
    const pixels = sub.colSizes.get(start);
    const look = looks.get(start);
    const isHidden = sub.hiddenCols.get(start) !== 0;
    if (pixels === 0 && look === 0 && !isHidden) return [];
    const width = pixels === 0 ? 9.140625 : Math.max(0, (pixels - cellPadding) / pixelsPerCharacter);
    return (
      `<col min="${start + 1}" max="${end + 1}" width="${Number(width.toFixed(6))}` +
      `"${look ? ` style="${look}"` : ''}${isHidden ? ' hidden="1"' : ''}` +
      `${pixels ? ' customWidth="1"' : ''}/>`
    );
  });
  return found.length > 0 ? `<cols>${found.join('')}</cols>` : '';
}

export function filterXml({ region, columns }: Filter): string {
  const criteria = columns.map(({ col, visible }) => {
    const texts = visible.filter((text) => text !== '').map((text) => `<filter val="${xmlEscape(text)}"/>`);
    return `<filterColumn colId="${col - region[1]}"><filters${visible.includes('') ? ' blank="1"' : ''}>${texts.join('')}</filters></filterColumn>`;
  });
  const start = `<autoFilter ref="${rectName(rectOf(region))}"`;
  return criteria.length > 0 ? `${start}>${criteria.join('')}</autoFilter>` : `${start}/>`;
}

function linksOf(document: SheetDocument, sub: SubSheet, relations: Relations): string {
  const links = sub.links.list().map(({ row, col, value }) => {
    const place = cellName(row, col);
    if (!value.url.startsWith('#'))
      return `<hyperlink ref="${place}" r:id="${relations.external('hyperlink', value.url)}"/>`;
    return `<hyperlink ref="${place}" location="${xmlEscape(placeOf(document, value.url.slice(1)))}"/>`;
  });
  return links.length > 0 ? `<hyperlinks>${links.join('')}</hyperlinks>` : '';
}

/** Documents name sub-sheets by id, files by name. */
function placeOf(document: SheetDocument, target: string): string {
  const [id = '', cell] = target.split('!');
  const found = document.find(id);
  return found ? `'${found.name.replaceAll("'", "''")}'!${cell ?? 'A1'}` : target;
}
