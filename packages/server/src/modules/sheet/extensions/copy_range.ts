import { containsCell, countRectCells, shiftRect, tiles } from '../cells/rects.ts';
import { z } from 'zod';
import { invalid, overLimit } from '../errors.ts';
import { flag, oneOf, text } from '../../../kernel/field-schemas.ts';
import {
  type SheetDocument,
  type Link,
  contains,
  meets,
  rectOf,
  regionOf,
  sameRect,
  type Region,
  type SubSheet,
  type CopyableRangeObjectKind,
} from '@sheaf/engine/internal/document';
import { type Rect, maxCols, maxRows } from '@sheaf/engine';
import {
  merge,
  type Mutation,
  restoreBlock,
  restoreStyles,
  type RestoreStyles,
  setLink,
  keepStyles,
  unmerge,
} from '@sheaf/engine/internal/mutations';
import { findArrayRanges, copyContents, modulo } from '../cells/copy-contents.ts';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { MovedReferenceUpdater } from '../cells/update-moved-references.ts';
import { copyFormatsValidationsComments } from '../cells/copy-formats-validations-comments.ts';
import { copyTables, moveCharts, movePivots, moveTables, movedPivotRanges } from '../cells/move-objects.ts';
import { transposeRange } from '../cells/transpose.ts';
import { isWholeRowsOrColumns, resolveAddress, clipToUsedRange, type SheetRange } from '../calls/address.ts';
import {
  changedCellsOutput,
  changedCellsTokens,
  defaultSheetField,
  regionFields,
  toRegionTuple,
  type RegionInput,
} from '../schema.ts';
import { writeTool, type ToolCall } from '../calls/tool.ts';

const maxCells = 1_000_000;

const region = (what: string) =>
  z
    .union([text('Address.', { min: 1, max: 300 }), z.object(regionFields)])
    // The schema accepts an address or an object of row and column indexes. Lists of tools show agents only the
    // address, because it is shorter.
    .meta({ 'x-listed': 'string', description: what });

export const copy_range = writeTool({
  name: 'copy_range',
  summary:
    'Copies cells and what is on them; relative references are adjusted. A larger target is ' +
    'filled by repeating the source or, with series, by continuing it (1, 2 -> 3, 4). With move, whatever ' +
    'refers to them follows.\nExample: {"source":"Sales!C2","target":"Sales!C3:C100"}',
  input: {
    ...defaultSheetField,
    source: region('An address like B2:C9.'),
    target: region('Likewise; at least as large as the source.'),
    target_sheet_id: text('Its sub-sheet, if another.', { max: 64 }).optional(),
    what: oneOf('Default: all.', ['all', 'values', 'formats']).optional(),
    transpose: flag('Rows become columns; formulas, values.').optional(),
    series: flag('Continues numbers, dates and names.').optional(),
    move: flag('Moves instead.').optional(),
  },
  output: changedCellsOutput,
  plan(document, input, call) {
    const { sub: from, rect: source } = resolveRange(document, input.source, 'source', input.sheet_id);
    const { sub: to, rect: at } = resolveRange(document, input.target, 'target', input.target_sheet_id ?? from.id);
    const report = { tokens: changedCellsTokens, sheet: to.id };
    if (input.transpose)
      return { mutations: transposeRange(document, { sub: from, rect: source }, { sub: to, rect: at }), report };
    const target = expandTarget(source, at);
    const cells = countRectCells(target);
    if (cells > maxCells) throw overLimit(`target: at most ${maxCells} cells can be written at once (got ${cells})`);
    const what = input.what ?? 'all';
    if (from === to && what !== 'values' && sameRect(source, target)) return { mutations: [], report };
    const mutations: Mutation[] = [];
    const merges = what === 'all' ? copyMerges(from, source, target) : [];
    const links = what === 'all' ? copyLinks(from, source, target, call) : [];
    const looks =
      what === 'values' ? undefined : copyStyles(document, from, source, target, to.id, input.move === true);
    const moved = input.move ? new MovedReferenceUpdater(document, from, source, to, target) : undefined;
    const block = { document, from, source, to, target };
    const move = input.move && what === 'all' ? block : undefined;
    const without = [
      ...(what === 'all' ? findArrayRanges(document, from, source) : []),
      ...(move ? movedPivotRanges(move) : []),
    ];
    const tables = what === 'all' && !input.move ? copyTables(block, call.newId) : undefined;
    const contents =
      what === 'formats'
        ? undefined
        : copyContents({
            ...block,
            valuesOnly: what === 'values',
            moved,
            without,
            series: input.series === true,
            ...(tables ? { tableAs: tables.tableAs } : {}),
          });
    if (move) mutations.push(...movePivots(move));
    if (input.move) mutations.push(...clearSource(from, source, what));
    if (what === 'all') mutations.push(...unmergeTarget(to, target, input.move && from === to ? source : undefined));
    if (moved && move) mutations.push(...moved.updateDependents(target), ...moved.updateNames(), ...moveCharts(move));
    if (contents) mutations.push(restoreBlock.of({ sheet: to.id, region: regionOf(target), ...contents }));
    if (looks) mutations.push(looks);
    if (merges.length > 0) mutations.push(merge.of({ sheet: to.id, regions: merges }));
    if (links.length > 0) mutations.push(setLink.of({ sheet: to.id, links }));
    const lists: CopyableRangeObjectKind[] =
      what === 'all' ? ['formats', 'validations', 'comments'] : what === 'formats' ? ['formats'] : [];
    mutations.push(...copyFormatsValidationsComments({ ...block, isMove: input.move === true, call }, lists));
    mutations.push(...(move ? moveTables(move) : (tables?.mutations ?? [])));
    return { mutations, report };
  },
});

type Given = string | RegionInput;

function resolveRange(document: SheetDocument, given: Given, field: string, sheet: string | undefined): SheetRange {
  if (typeof given === 'string') {
    const place = resolveAddress(document, given, { field, sheet, isWrite: true });
    return isWholeRowsOrColumns(place.rect)
      ? { ...place, rect: clipToUsedRange(document, place) ?? place.rect }
      : place;
  }
  if (sheet === undefined) throw invalid('sheet_id: is required');
  return { sub: requireWorksheet(document, sheet), rect: rectOf(toRegionTuple(given, `${field}.`)) };
}

/** Enlarges the target to at least the size of the source. */
function expandTarget(source: Rect, target: Rect): Rect {
  const bottom = Math.max(target.bottom, target.top + source.bottom - source.top);
  const right = Math.max(target.right, target.left + source.right - source.left);
  if (bottom >= maxRows) throw overLimit(`target: row ${bottom} is past the last, ${maxRows - 1}`);
  if (right >= maxCols) throw overLimit(`target: column ${right} is past the last, ${maxCols - 1}`);
  return { ...target, bottom, right };
}

function clearSource(from: SubSheet, source: Rect, what: string): Mutation[] {
  const made: Mutation[] = [];
  const region4 = regionOf(source);
  if (what === 'all') {
    const merged = from.merges.meeting(source).filter((one) => contains(source, one));
    if (merged.length > 0) made.push(unmerge.of({ sheet: from.id, regions: merged.map(regionOf) }));
  }
  if (what !== 'formats') made.push(restoreBlock.of({ sheet: from.id, region: region4 }));
  if (what !== 'values') made.push(restoreStyles.of({ sheet: from.id, region: region4, styles: [], runs: [] }));
  return made;
}

/**
 * Unmerges merged areas that overlap the target, including areas that extend beyond it. Areas within `already` are
 * skipped, because another mutation unmerges them.
 */
function unmergeTarget(to: SubSheet, target: Rect, already: Rect | undefined): Mutation[] {
  const inTheWay = to.merges.meeting(target).filter((one) => !(already && contains(already, one)));
  return inTheWay.length > 0 ? [unmerge.of({ sheet: to.id, regions: inTheWay.map(regionOf) })] : [];
}

function copyMerges(from: SubSheet, source: Rect, target: Rect): Region[] {
  const inside = from.merges.meeting(source).filter((one) => contains(source, one));
  if (inside.length === 0) return [];
  const made: Region[] = [];
  for (const { down, across } of tiles(source, target)) {
    for (const one of inside) {
      const place = shiftRect(one, down, across);
      if (contains(target, place)) made.push(regionOf(place));
    }
  }
  return made;
}

function copyLinks(from: SubSheet, source: Rect, target: Rect, call: ToolCall): [number, number, Link][] {
  const inside = from.links.size === 0 ? [] : from.links.list(source);
  if (inside.length === 0) return [];
  const made: [number, number, Link][] = [];
  for (const { down, across } of tiles(source, target)) {
    for (const { row, col, value } of inside) {
      const [r, c] = [row + down, col + across];
      if (containsCell(target, r, c)) made.push([r, c, { ...value, id: call.newId('link') }]);
    }
  }
  return made;
}

/**
 * Returns the source's cell styles for a copy. Cells in the output of a pivot table get the number format with which
 * they are displayed, such as that of dates: their copies do not belong to the pivot table and would otherwise lose
 * this format.
 */
function shownStyles(document: SheetDocument, from: SubSheet, source: Rect): Pick<RestoreStyles, 'styles' | 'runs'> {
  const { styles, runs } = keepStyles(document, from, source).data as RestoreStyles;
  const made = { styles: [...styles], runs: [...runs] };
  for (const { sheet, rect } of document.pivotOutputs.values()) {
    if (sheet !== from.id || !meets(rect, source)) continue;
    for (let col = Math.max(rect.left, source.left); col <= Math.min(rect.right, source.right); col++) {
      for (let row = Math.max(rect.top, source.top); row <= Math.min(rect.bottom, source.bottom); row++) {
        const style = document.style(from, row, col);
        const numberFormat = document.numberFormat(from, row, col);
        if (style.numberFormat === undefined && numberFormat !== 'General')
          made.runs.push([col, row, row, made.styles.push({ ...style, numberFormat }) - 1]);
      }
    }
  }
  return made;
}

function copyStyles(
  document: SheetDocument,
  from: SubSheet,
  source: Rect,
  target: Rect,
  sheet: string,
  isMove: boolean,
): Mutation {
  // A moved pivot table formats its date labels itself, so they need no explicit format.
  const { styles, runs } = isMove
    ? (keepStyles(document, from, source).data as RestoreStyles)
    : shownStyles(document, from, source);
  const height = source.bottom - source.top + 1;
  const width = source.right - source.left + 1;
  const made: [number, number, number, number][] = [];
  for (let col = target.left; col <= target.right; col++) {
    const fromCol = source.left + modulo(col - target.left, width);
    for (const [at, start, end, style] of runs) {
      if (at !== fromCol) continue;
      // Add a single run for a column with a single style, even if the source is repeated many times.
      if (start === source.top && end === source.bottom) made.push([col, target.top, target.bottom, style]);
      else
        for (let top = target.top; top <= target.bottom; top += height) {
          const first = top + start - source.top;
          if (first <= target.bottom) made.push([col, first, Math.min(target.bottom, top + end - source.top), style]);
        }
    }
  }
  return restoreStyles.of({ sheet, region: regionOf(target), styles, runs: made });
}
