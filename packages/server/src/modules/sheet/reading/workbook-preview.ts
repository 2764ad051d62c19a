import { maxSeries, maxValues, chartSize } from '@sheaf/charts/chart-data';
import { resolveChart } from '../charts/resolve-chart.ts';
import { toLocation } from '../charts/chart-location.ts';
import { newCols, newRows, type SheetDocument, type SubSheet } from '@sheaf/engine/internal/document';
import { readRange, rectName } from '@sheaf/engine';
import type { ViewOptions } from '../../../ports/spreadsheet-service.ts';
import { readSheetProperties } from '../objects/sheet-properties.ts';
import { readKeptObjects } from '../objects/kept-objects.ts';
import { buildLayout, buildRangeView } from './range-view.ts';

export const previewLimits = {
  /** Maximum number of rows and columns of each sub-sheet that the preview shows. */
  rows: 2000,
  cols: 100,
  /**
   * Limits for the whole preview: number of cells, characters of text, bytes of images, number of charts, and bytes of
   * the answer.
   */
  cells: 100_000,
  characters: 4 * 2 ** 20,
  imageBytes: 4 * 2 ** 20,
  charts: 100,
  bytes: 32 * 2 ** 20,
};

/**
 * Number of rows whose texts and formulas are read at a time to count the rows that fit into the preview. It is small,
 * because the texts may be long.
 */
const measuredRows = 64;

/** Matches the image types that a preview includes. SVG is left out, because it can contain scripts. */
const previewableImageTypes = /^image\/(png|jpeg|gif|webp|bmp)$/;

interface PreviewImage {
  readonly key: string;
  readonly bytes: Uint8Array;
}

interface Extent {
  rows: number;
  cols: number;
}

/**
 * Thrown if the requested sub-sheet (a single sheet of the workbook) does not exist or is hidden, or if a workbook has
 * no visible sub-sheet.
 */
export class SheetNotVisible extends Error {
  /**
   * Name of the input field that contains the requested sub-sheet, for the error message; undefined if the caller
   * requested no particular sub-sheet.
   */
  readonly field: string | undefined;
  constructor(message: string, field?: string) {
    super(message);
    this.field = field;
  }
}

/** Thrown when the preview exceeds the maximum size of an answer. */
export class PreviewTooLarge extends Error {}

/**
 * Returns a preview of a workbook as JSON: cells and styles of the first rows and columns of each visible sub-sheet,
 * with charts and images. With `sheetName`, only that sub-sheet is included. Checks the size after each sub-sheet and
 * throws PreviewTooLarge if the answer is too large.
 */
export function buildWorkbookPreview(
  document: SheetDocument,
  images: readonly PreviewImage[],
  { sheetName, maxRows = previewLimits.rows }: ViewOptions,
  calculation: Parameters<typeof buildRangeView>[3],
): string {
  const visible = document.subSheets.filter(
    (sub) => sub.type === 'worksheet' && readSheetProperties(sub).visibility === 'visible',
  );
  const subs = sheetName === undefined ? visible : visible.filter((sub) => sub.name === sheetName);
  if (subs.length === 0 && sheetName !== undefined)
    throw new SheetNotVisible(
      `there is no visible sub-sheet ${JSON.stringify(sheetName)}; there are ${JSON.stringify(visible.slice(0, 20).map(({ name }) => name))}`,
      'sheet_name',
    );
  if (subs.length === 0) throw new SheetNotVisible('the workbook has no visible sub-sheet of cells');
  const extents = allocateExtents(document, subs, maxRows);
  const bytesOf = new Map(images.map(({ key, bytes }) => [key, bytes]));
  const left = {
    characters: previewLimits.characters,
    imageBytes: previewLimits.imageBytes,
    charts: previewLimits.charts,
    values: maxValues.returned,
    length: previewLimits.bytes,
  };
  const parts = subs.map((sub, index) => {
    const { rows, characters } = countFittingRows(document, sub, extents[index]!, left.characters);
    left.characters -= characters;
    const extent = { rows, cols: extents[index]!.cols };
    const part = JSON.stringify({
      ...buildSheetPreview(document, sub, extent, calculation),
      charts: chartsOf(document, sub, extent, left),
      images: imagesOf(sub, extent, bytesOf, left),
      kept: keptOf(document, sub, extent, left),
    });
    left.length -= part.length;
    if (left.length < 0)
      throw new PreviewTooLarge(`the look of the workbook takes more than ${previewLimits.bytes} characters`);
    return part;
  });
  return `{"sheets":[${parts.join(',')}]}`;
}

function buildSheetPreview(
  document: SheetDocument,
  sub: SubSheet,
  { rows, cols }: Extent,
  calculation: Parameters<typeof buildRangeView>[3],
): Record<string, unknown> {
  const used = document.usedRange(sub);
  const isCut = used !== undefined && (used.bottom >= rows || used.right >= cols);
  const layout = buildLayout(document, sub);
  const within = <Run extends readonly number[]>(runs: readonly Run[], count: number): Run[] =>
    runs
      .filter(([first]) => first! < count)
      .map((run) => [run[0], Math.min(run[1]!, count - 1), ...run.slice(2)] as unknown as Run);
  const seen = used && {
    ...used,
    bottom: Math.min(used.bottom, rows - 1),
    right: Math.min(used.right, cols - 1),
  };
  const view = buildRangeView(document, sub, { top: 0, left: 0, bottom: rows - 1, right: cols - 1 }, calculation);
  const { tab_color } = readSheetProperties(sub);
  return {
    sheet_id: sub.id,
    sheet_name: sub.name,
    ...(tab_color === undefined ? {} : { tab_color }),
    used_rows: used ? used.bottom + 1 : 0,
    used_cols: used ? used.right + 1 : 0,
    shown_rows: rows,
    shown_cols: cols,
    is_cut: isCut,
    view: {
      version: 0,
      ...view,
      merges: view.merges
        .filter(([top, left]) => top < rows && left < cols)
        .map(([top, left, bottom, right]) => [top, left, Math.min(bottom, rows - 1), Math.min(right, cols - 1)]),
      layout: {
        ...layout,
        rows,
        cols,
        frozen_rows: Math.min(layout.frozen_rows, rows),
        frozen_cols: Math.min(layout.frozen_cols, cols),
        row_sizes: within(layout.row_sizes, rows),
        col_sizes: within(layout.col_sizes, cols),
        hidden_rows: within(layout.hidden_rows, rows),
        hidden_cols: within(layout.hidden_cols, cols),
        used: seen && seen.top <= seen.bottom && seen.left <= seen.right ? rectName(seen) : '',
      },
    },
  };
}

/**
 * Returns how many rows and columns of each sub-sheet are shown. Small sub-sheets are shown completely; larger ones
 * share the remaining cells of the preview. If the limit permits, empty cells around the values are shown too, because
 * they may have colors.
 */
function allocateExtents(document: SheetDocument, subs: readonly SubSheet[], maxRows: number): Extent[] {
  const used = subs.map((sub): Extent => {
    const range = document.usedRange(sub);
    return {
      rows: Math.min(maxRows, (range?.bottom ?? 0) + 1),
      cols: Math.min(previewLimits.cols, (range?.right ?? 0) + 1),
    };
  });
  let left = previewLimits.cells;
  [...used]
    .sort((a, b) => a.rows * a.cols - b.rows * b.cols)
    .forEach((extent, index) => {
      const share = Math.floor(left / (used.length - index));
      extent.cols = Math.min(extent.cols, Math.max(1, share));
      extent.rows = Math.min(extent.rows, Math.max(1, Math.floor(share / extent.cols)));
      left -= extent.rows * extent.cols;
    });
  const roomy = used.map((extent, index): Extent => {
    const range = document.usedRange(subs[index]!);
    const size = document.size(subs[index]!);
    // Add empty rows below the values only if all rows with values are included. The same applies to columns.
    const isFurther = { rows: (range?.bottom ?? 0) >= extent.rows, cols: (range?.right ?? 0) >= extent.cols };
    return {
      rows: isFurther.rows ? extent.rows : Math.min(maxRows, Math.max(extent.rows, Math.min(size.rows, newRows))),
      cols: isFurther.cols ? extent.cols : Math.max(extent.cols, Math.min(size.cols, newCols)),
    };
  });
  return roomy.reduce((sum, { rows, cols }) => sum + rows * cols, 0) <= previewLimits.cells ? roomy : used;
}

/**
 * Returns how many of the first rows have at most `most` characters of text and formulas in total, and their number of
 * characters. If even the first row has more, returns one row and 0 characters.
 */
function countFittingRows(
  document: SheetDocument,
  sub: SubSheet,
  { rows, cols }: Extent,
  most: number,
): { rows: number; characters: number } {
  let characters = 0;
  for (let top = 0; top < rows; top += measuredRows) {
    const bottom = Math.min(rows, top + measuredRows) - 1;
    let before = characters;
    let at = top;
    for (const { row, value, formula } of readRange(document.workbook, sub.sheet, top, 0, bottom, cols - 1)) {
      if (row > at) {
        before = characters;
        at = row;
      }
      characters += (typeof value === 'string' ? value.length : 0) + (formula?.length ?? 0);
      if (characters > most) return { rows: Math.max(1, row), characters: before };
    }
  }
  return { rows, characters };
}

function chartsOf(
  document: SheetDocument,
  sub: SubSheet,
  extent: Extent,
  left: { charts: number; values: number },
): Record<string, unknown>[] {
  return sub.charts.flatMap((chart) => {
    const { series, points } = chartSize(document, sub, chart);
    const isSmall = series <= maxSeries && series * points <= Math.min(left.values, maxValues.rendered);
    if (left.charts === 0 || !isSmall || !isWithinExtent(chart.anchor, extent)) return [];
    left.charts--;
    left.values -= series * points;
    return [
      {
        drawing_id: chart.id,
        chart_type: chart.type,
        title: chart.title,
        location: toLocation(chart.anchor),
        content: JSON.stringify(resolveChart(document, sub, chart)),
      },
    ];
  });
}

function imagesOf(
  sub: SubSheet,
  extent: Extent,
  bytesOf: ReadonlyMap<string, Uint8Array>,
  left: { imageBytes: number },
): Record<string, unknown>[] {
  return sub.images.flatMap(({ id, name, anchor, blob, mime }) => {
    const bytes = bytesOf.get(blob);
    if (
      !bytes ||
      bytes.length > left.imageBytes ||
      !previewableImageTypes.test(mime) ||
      !isWithinExtent(anchor, extent)
    )
      return [];
    left.imageBytes -= bytes.length;
    return [
      {
        object_id: id,
        name,
        location: toLocation(anchor),
        url: `data:${mime};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`,
        content_type: mime,
      },
    ];
  });
}

function keptOf(document: SheetDocument, sub: SubSheet, extent: Extent, left: { imageBytes: number }) {
  const kept = readKeptObjects(document, sub, (row, col) => isWithinExtent({ row, col }, extent), left.imageBytes);
  const length = kept.pictures.reduce((sum, address) => sum + address.length, 0);
  left.imageBytes = Math.max(0, left.imageBytes - length);
  return kept;
}

function isWithinExtent(anchor: { row: number; col: number }, { rows, cols }: Extent): boolean {
  return anchor.row < rows && anchor.col < cols;
}
