import type { ZipArchive } from '../zip/reader.ts';
import type { Anchor, SubSheet } from '@sheaf/engine/internal/document';
import { maxCols, maxRows } from '@sheaf/engine';
import { eachElement, partText, readRelationships } from '../containers/package-parts.ts';
import { emuPerPixel } from './write-drawing.ts';

export interface ParsedDrawing {
  /** Kind of the object; `other` means an unsupported kind, which is stored unchanged for export. */
  readonly kind: 'chart' | 'chartEx' | 'image' | 'other';
  /** Name of the part (file in the package) that contains the drawing. */
  readonly drawing: string;
  /** Index of this object among all objects of the drawing, counted from 0. */
  readonly index: number;
  /** Name of the part that contains the chart or image; empty if the kind is `other`. */
  readonly part: string;
  readonly name: string;
  readonly anchor: Anchor;
}

const defaultWidth = 64;
const defaultHeight = 20;
const pointsToPixels = 4 / 3;
const maxObjects = 1000;
const maxSide = 10_000;

const noAnchor: Anchor = { row: 0, col: 0, offsetX: 0, offsetY: 0, width: 1, height: 1 };

/** A cell, and the offset in EMU from the cell's top left corner. */
export interface AnchorCorner {
  col: number;
  colOff: number;
  row: number;
  rowOff: number;
}

/**
 * Reads the objects of a drawing with their positions. An object anchored to two cells gets its size from the cells
 * between.
 */
export function readDrawing(archive: ZipArchive, part: string, sub: SubSheet): ParsedDrawing[] {
  const xml = partText(archive, part);
  if (xml === undefined) return [];
  const relations = readRelationships(archive, part);
  const found: ParsedDrawing[] = [];
  let from: AnchorCorner = blank();
  let to: AnchorCorner | undefined;
  let size: { width: number; height: number } | undefined;
  let target: { kind: 'chart' | 'chartEx' | 'image'; part: string } | undefined;
  let place = -1;
  let content = '';
  let name = '';
  eachElement(xml, part, {
    open({ name: tag, attributes, path }) {
      // Store newer objects, such as form controls, unchanged (kind `other`). The file wraps them in an
      // AlternateContent element, which older programs skip.
      if (tag === 'AlternateContent' && path.length === 1) {
        place++;
        found.push({ kind: 'other', part: '', drawing: part, index: place, name: '', anchor: noAnchor });
        return;
      }
      if (path[1] === 'AlternateContent') return;
      if (tag.endsWith('CellAnchor') || tag === 'absoluteAnchor') {
        from = blank();
        to = undefined;
        size = undefined;
        target = undefined;
        content = '';
        place++;
        name = '';
        return;
      }
      // Only a direct child of the anchor determines the kind of the object: a picture inside a group is part of the
      // group.
      if (path.at(-1)?.endsWith('Anchor') && !['from', 'to', 'ext', 'pos', 'clientData'].includes(tag)) content ||= tag;
      if (tag === 'to') to = blank();
      else if (tag === 'ext' && path.at(-1)?.endsWith('Anchor'))
        size = { width: pixels(attributes.get('cx')), height: pixels(attributes.get('cy')) };
      else if (tag === 'cNvPr') name ||= attributes.get('name') ?? '';
      else if ((tag === 'blip' && content === 'pic') || (tag === 'chart' && content === 'graphicFrame')) {
        const relation = relations.get(attributes.get('embed') ?? attributes.get('id') ?? '');
        if (relation && !relation.isExternal)
          target ??= { kind: tag === 'blip' ? 'image' : 'chart', part: relation.target };
      } else if (tag === 'chart' && content === 'AlternateContent') {
        // An AlternateContent element holds a chartex chart and a fallback for older programs. Read only the chartex
        // chart.
        const relation = relations.get(attributes.get('id') ?? '');
        if (relation?.kind === 'chartEx' && !relation.isExternal) target ??= { kind: 'chartEx', part: relation.target };
      }
    },
    close(tag, text, path) {
      if (path[1] === 'AlternateContent') return;
      const around = path.at(-1);
      if (
        (around === 'from' || around === 'to') &&
        (tag === 'col' || tag === 'row' || tag === 'colOff' || tag === 'rowOff')
      ) {
        const corner = around === 'from' ? from : (to ?? from);
        corner[tag] = Math.max(0, Math.trunc(Number(text)) || 0);
        return;
      }
      if (!tag.endsWith('CellAnchor') && tag !== 'absoluteAnchor') return;
      if (found.length >= maxObjects || from.col >= maxCols || from.row >= maxRows) return;
      const { width, height } = size ?? (to ? sizeBetween(sub, from, to) : { width: 480, height: 300 });
      const side = (length: number): number => Math.min(maxSide, Math.max(1, Math.round(length)));
      const anchor = {
        row: from.row,
        col: from.col,
        offsetX: Math.min(maxSide, Math.round(from.colOff / emuPerPixel)),
        offsetY: Math.min(maxSide, Math.round(from.rowOff / emuPerPixel)),
        width: side(width),
        height: side(height),
      };
      found.push({
        ...(target ?? { kind: 'other', part: '' }),
        drawing: part,
        index: place,
        name: name.slice(0, 200),
        anchor,
      });
    },
  });
  return found;
}

function blank(): AnchorCorner {
  return { col: 0, colOff: 0, row: 0, rowOff: 0 };
}

function pixels(emu: string | undefined): number {
  return Number(emu ?? 0) / emuPerPixel;
}

/** Returns the size in pixels of the area between two corners. */
export function sizeBetween(sub: SubSheet, from: AnchorCorner, to: AnchorCorner): { width: number; height: number } {
  let width = (to.colOff - from.colOff) / emuPerPixel;
  for (let col = from.col; col < Math.min(to.col, from.col + 500); col++)
    width += sub.colSizes.get(col) || defaultWidth;
  let height = (to.rowOff - from.rowOff) / emuPerPixel;
  for (let row = from.row; row < Math.min(to.row, from.row + 1000); row++) {
    const points = sub.rowSizes.get(row);
    height += points === 0 ? defaultHeight : points * pointsToPixels;
  }
  return { width, height };
}
