import { Runs, type SheetDocument, type SubSheet } from '@sheaf/engine/internal/document';
import { maxCols } from '@sheaf/engine';
import { splitStoredAttributes } from './imported-cells.ts';
import type { CellWriter } from './write-cells.ts';
import type { StyleWriter } from './write-styles.ts';

export const pixelsPerCharacter = 7;
export const cellPadding = 5;
/** Column width in pixels of a sheet that sets no default width. */
export const defaultColumnWidth = 100;

/**
 * Attributes that the export generates from the document. All other attributes of an imported column element are
 * written unchanged.
 */
const modeledAttributes = / (?:width|customWidth|hidden|outlineLevel|collapsed)="[^"]*"/g;

/**
 * Returns the column width in pixels from the attributes of a column element. Returns 0 if there is none, or if it
 * equals the default width (`usual`, in pixels) without being marked as custom.
 */
export function columnWidthOf(attributes: string, usual: number): number {
  const width = Number(/ width="([^"]*)"/.exec(attributes)?.[1] ?? 0);
  const isOwn = / customWidth="(?:1|true)"/.test(attributes) || Math.round(width * pixelsPerCharacter) !== usual;
  return width > 0 && isOwn ? Math.min(10_000, Math.round(width * pixelsPerCharacter + cellPadding)) : 0;
}

/** Returns the column elements. Adjacent columns share one if all that is written of them is equal. */
export function columnsXml(document: SheetDocument, sub: SubSheet, cells: CellWriter, styles: StyleWriter): string {
  const looks = new Runs();
  if (cells.otherLook !== 0) looks.set(0, maxCols - 1, cells.otherLook);
  for (const [col, { look }] of cells.columnLooks) looks.set(col, col, look);
  const points = new Set<number>([0, sub.cols]);
  for (const runs of [sub.colSizes, sub.hiddenCols, sub.colGroups, sub.colSources, looks]) {
    for (const [start, end] of runs.list()) points.add(start).add(end + 1);
  }
  const starts = [...points].filter((point) => point < maxCols).sort((a, b) => a - b);
  const found = starts.flatMap((start, i) => {
    const span = `<col min="${start + 1}" max="${starts[i + 1] ?? maxCols}"`;
    const source = document.kept?.words?.[sub.colSources.get(start) - 1];
    const { look: style, attributes } = splitStoredAttributes(source);
    // Columns beyond the document's grid are written with their imported attributes.
    if (start >= sub.cols && source !== undefined) {
      const look = styles.imported(style) || looks.get(start);
      return `${span}${attributes}${look ? ` style="${look}"` : ''}/>`;
    }
    const written = modeledColumn(sub, start, looks.get(start), attributes);
    return written === '' ? [] : `${span}${written}/>`;
  });
  return found.length > 0 ? `<cols>${found.join('')}</cols>` : '';
}

/**
 * Returns the attributes of a column element. If the width is that of the imported file, it is written with the file's
 * digits, without rounding.
 */
function modeledColumn(sub: SubSheet, col: number, look: number, attributes: string): string {
  const pixels = sub.colSizes.get(col);
  const isHidden = sub.hiddenCols.get(col) !== 0;
  const group = sub.colGroups.get(col);
  const rest = attributes.replace(modeledAttributes, '');
  if (pixels === 0 && look === 0 && !isHidden && group === 0 && attributes === '') return '';
  const usual = (sub.setup.colWidth ?? defaultColumnWidth) / pixelsPerCharacter;
  const width = pixels === 0 ? usual : Math.max(0, (pixels - cellPadding) / pixelsPerCharacter);
  const sized =
    attributes !== '' && columnWidthOf(attributes, sub.setup.colWidth ?? defaultColumnWidth) === pixels
      ? (attributes.match(/ (?:width|customWidth)="[^"]*"/g) ?? []).join('')
      : ` width="${Number(width.toFixed(6))}"${pixels ? ' customWidth="1"' : ''}`;
  return `${sized}${rest}${look ? ` style="${look}"` : ''}${isHidden ? ' hidden="1"' : ''}${groupAttributes(group)}`;
}

/**
 * Returns the outline attributes of a row or column. `group` holds the level in its low three bits, plus 8 if
 * collapsed.
 */
export function groupAttributes(group: number): string {
  return (group & 7 ? ` outlineLevel="${group & 7}"` : '') + (group & 8 ? ' collapsed="1"' : '');
}
