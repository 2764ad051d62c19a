import type { ZipArchive } from '../../formats/zip-guard.ts';
import type { Anchor } from '../engine/document/objects/objects.ts';
import type { SubSheet } from '../engine/document/objects/sub-sheet.ts';
import { MAX_COLS, MAX_ROWS } from '../engine/base/values.ts';
import { eachElement, partText, relationsOf } from './read-xml.ts';
import { EMU_PER_PIXEL } from './write-drawing.ts';

export interface FoundDrawing {
  readonly kind: 'chart' | 'image';
  readonly part: string;
  readonly name: string;
  readonly anchor: Anchor;
}

const DEFAULT_WIDTH = 64;
const DEFAULT_HEIGHT = 20;
const POINTS_TO_PIXELS = 4 / 3;
const MOST = 1000;
const LARGEST_SIDE = 10_000;

interface Corner {
  col: number;
  colOff: number;
  row: number;
  rowOff: number;
}

/** Charts and pictures of a sheet with their places; one that spans cells gets its size from them. */
export function readDrawing(archive: ZipArchive, part: string, sub: SubSheet): FoundDrawing[] {
  const xml = partText(archive, part);
  if (xml === undefined) return [];
  const relations = relationsOf(archive, part);
  const found: FoundDrawing[] = [];
  let from: Corner = blank();
  let to: Corner | undefined;
  let size: { width: number; height: number } | undefined;
  let target: { kind: 'chart' | 'image'; part: string } | undefined;
  let name = '';
  eachElement(xml, part, {
    open({ name: tag, attributes, path }) {
      if (tag.endsWith('CellAnchor') || tag === 'absoluteAnchor') {
        from = blank();
        to = undefined;
        size = undefined;
        target = undefined;
        name = '';
      } else if (tag === 'to') to = blank();
      else if (tag === 'ext' && path.at(-1)?.endsWith('Anchor')) size = { width: pixels(attributes.get('cx')), height: pixels(attributes.get('cy')) };
      else if (tag === 'cNvPr') name ||= attributes.get('name') ?? '';
      else if (tag === 'blip' || tag === 'chart') {
        const relation = relations.get(attributes.get('embed') ?? attributes.get('id') ?? '');
        if (relation && !relation.isExternal) target ??= { kind: tag === 'blip' ? 'image' : 'chart', part: relation.target };
      }
    },
    close(tag, text, path) {
      const around = path.at(-1);
      if ((around === 'from' || around === 'to') && (tag === 'col' || tag === 'row' || tag === 'colOff' || tag === 'rowOff')) {
        const corner = around === 'from' ? from : (to ?? from);
        corner[tag] = Math.max(0, Math.trunc(Number(text)) || 0);
        return;
      }
      if (!tag.endsWith('CellAnchor') && tag !== 'absoluteAnchor') return;
      if (!target || found.length >= MOST || from.col >= MAX_COLS || from.row >= MAX_ROWS) return;
      const { width, height } = size ?? (to ? between(sub, from, to) : { width: 480, height: 300 });
      const side = (length: number): number => Math.min(LARGEST_SIDE, Math.max(1, Math.round(length)));
      const anchor = { row: from.row, col: from.col, offsetX: Math.min(LARGEST_SIDE, Math.round(from.colOff / EMU_PER_PIXEL)), offsetY: Math.min(LARGEST_SIDE, Math.round(from.rowOff / EMU_PER_PIXEL)), width: side(width), height: side(height) };
      found.push({ ...target, name: name.slice(0, 200), anchor });
    },
  });
  return found;
}

function blank(): Corner {
  return { col: 0, colOff: 0, row: 0, rowOff: 0 };
}

function pixels(emu: string | undefined): number {
  return Number(emu ?? 0) / EMU_PER_PIXEL;
}

function between(sub: SubSheet, from: Corner, to: Corner): { width: number; height: number } {
  let width = (to.colOff - from.colOff) / EMU_PER_PIXEL;
  for (let col = from.col; col < Math.min(to.col, from.col + 500); col++) width += sub.colSizes.get(col) || DEFAULT_WIDTH;
  let height = (to.rowOff - from.rowOff) / EMU_PER_PIXEL;
  for (let row = from.row; row < Math.min(to.row, from.row + 1000); row++) {
    const points = sub.rowSizes.get(row);
    height += points === 0 ? DEFAULT_HEIGHT : points * POINTS_TO_PIXELS;
  }
  return { width, height };
}
