import type { Anchor, KeptPart, SubSheet } from '@sheaf/engine/internal/document';
import { maxCols, maxRows } from '@sheaf/engine';
import { sizeBetween } from '../read-drawing.ts';
import { emuPerPixel } from '../write-drawing.ts';
import { keptText } from './kept-bytes.ts';

/** A form control or embedded object in a VML drawing, the only form in which Excel 2007 stores them. */
export interface LegacyControl {
  readonly kind: 'control' | 'embedded';
  /** Number of the VML shape. */
  readonly shape: string;
  readonly name: string;
  readonly text: string;
  readonly anchor: Anchor;
}

const maxControls = 1000;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/**
 * Returns the controls and embedded objects of a VML drawing. Uses regular expressions, because VML drawings are often
 * not well-formed XML.
 */
export function legacyControls(part: KeptPart | undefined, sub: SubSheet): LegacyControl[] {
  const found: LegacyControl[] = [];
  for (const shape of keptText(part)
    .split(/(?=<v:shape\b(?!type))/)
    .slice(1)) {
    if (found.length >= maxControls) break;
    const type = /ObjectType="(\w+)"/.exec(shape)?.[1] ?? 'Note';
    const numbers = (/<\w+:Anchor>([\s\d,-]{1,200})</.exec(shape)?.[1] ?? '').split(',').map(Number);
    if (type === 'Note' || numbers.length !== 8 || !numbers.every(Number.isInteger)) continue;
    const tag = shape.slice(0, shape.indexOf('>'));
    const given = /\bid="([^"]{1,300})"/.exec(tag)?.[1] ?? '';
    const id = /\bo:spid="([^"]{1,300})"/.exec(tag)?.[1];
    found.push({
      kind: type === 'Pict' ? 'embedded' : 'control',
      shape: /_s(\d+)$/.exec(id ?? given)?.[1] ?? '',
      name:
        id === undefined
          ? type
          : plain(given).replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => charOf(code, 16)),
      text: plain(
        (/<v:textbox\b[^>]*>([\s\S]{0,5000}?)<\/v:textbox>/.exec(shape)?.[1] ?? '').replaceAll(/<[^<>]*>/g, ''),
      ),
      anchor: anchorOf(numbers, sub),
    });
  }
  return found;
}

function charOf(code: string, base: number): string {
  const number = Number.parseInt(code, base);
  return number > 0 && number <= 0x10_ff_ff ? String.fromCodePoint(number) : '';
}

function plain(text: string): string {
  return text
    .replaceAll(/&(?:#(\d{1,7})|(\w{1,8}));/g, (whole, number: string | undefined, name: string | undefined) =>
      number === undefined ? (entities[name ?? ''] ?? whole) : charOf(number, 10),
    )
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/**
 * Converts the numbers of a VML anchor: column, x offset, row and y offset of the top left corner, then of the bottom
 * right corner.
 */
function anchorOf(numbers: readonly number[], sub: SubSheet): Anchor {
  const [left = 0, x = 0, top = 0, y = 0, right = 0, endX = 0, bottom = 0, endY = 0] = numbers.map((one) =>
    Math.max(0, one),
  );
  const [row, col] = [Math.min(top, maxRows - 1), Math.min(left, maxCols - 1)];
  const { width, height } = sizeBetween(
    sub,
    { row, col, rowOff: y * emuPerPixel, colOff: x * emuPerPixel },
    { row: bottom, col: right, rowOff: endY * emuPerPixel, colOff: endX * emuPerPixel },
  );
  const side = (length: number): number => Math.min(10_000, Math.max(1, Math.round(length)));
  return {
    row,
    col,
    offsetX: Math.min(x, 10_000),
    offsetY: Math.min(y, 10_000),
    width: side(width),
    height: side(height),
  };
}
