import { concat, u16, u32, utf16 } from '@sheaf/tools/testing/formats/bytes.ts';
import { compound } from '@sheaf/tools/testing/formats/ole-documents.ts';

/** Builds .xls workbooks record by record, because no library writes fonts, notes or links of this format. */
type Bytes = Uint8Array;

export function record(type: number, ...data: Bytes[]): Bytes {
  const all = concat(...data);
  return concat(u16(type, all.length), all);
}

export const u8 = (...values: number[]): Bytes => Uint8Array.from(values);

export function f64(value: number): Bytes {
  const out = Buffer.alloc(8);
  out.writeDoubleLE(value);
  return new Uint8Array(out);
}

/** A text with two-byte characters behind its flags. */
const characters = (text: string): Bytes => concat(u8(1), utf16(text));
export const text8 = (text: string): Bytes => concat(u8(text.length), characters(text));
export const text16 = (text: string): Bytes => concat(u16(text.length), characters(text));

export function font(
  name: string,
  points: number,
  look: { bold?: boolean; italic?: boolean; color?: number } = {},
): Bytes {
  return record(
    0x31,
    u16(points * 20, look.italic ? 2 : 0, look.color ?? 0x7fff, look.bold ? 700 : 400, 0),
    u8(0, 2, 0, 0),
    text8(name),
  );
}

export interface Format {
  font?: number;
  number?: number;
  /** Palette index of a solid fill. */
  fill?: number;
  /** Style and palette index of the left edge. */
  left?: [style: number, color: number];
  horizontal?: number;
}

export function cellFormat({ font: index = 0, number = 0, fill, left = [0, 0], horizontal = 0 }: Format = {}): Bytes {
  return record(
    0xe0,
    u16(index, number, 1),
    u8(horizontal | (2 << 4), 0, 0, 0xfc),
    u32((left[0] | (left[1] << 16)) >>> 0, fill === undefined ? 0 : 1 << 26),
    u16(fill === undefined ? 0x20c0 : fill | (65 << 7)),
  );
}

const bof = (kind: number): Bytes => record(0x809, u16(0x0600, kind, 0, 0), u32(0, 0));
const eof = record(0x0a);

export interface SheetParts {
  readonly name: string;
  readonly records: readonly Bytes[];
  /** 0 worksheet, 2 chart sheet. */
  readonly kind?: number;
}

/** Assembles a workbook; the sheet list holds the stream positions of the sheets. */
export function workbook(globals: readonly Bytes[], sheets: readonly SheetParts[]): Bytes {
  const streams = sheets.map(({ records }) => concat(bof(0x10), ...records, eof));
  const entries = (positions: readonly number[]): Bytes[] =>
    sheets.map(({ name, kind = 0 }, index) => record(0x85, u32(positions[index] ?? 0), u8(0, kind), text8(name)));
  const head = (positions: readonly number[]): Bytes => concat(bof(5), ...globals, ...entries(positions), eof);
  let at = head([]).length;
  const positions = streams.map((stream) => (at += stream.length) - stream.length);
  const whole = concat(head(positions), ...streams);
  return compound({ Workbook: concat(whole, new Uint8Array(Math.max(0, 4096 - whole.length))) });
}

export const number = (row: number, col: number, value: number, format = 0): Bytes =>
  record(0x203, u16(row, col, format), f64(value));
export const label = (row: number, col: number, text: string, format = 0): Bytes =>
  record(0x204, u16(row, col, format), text16(text));
export const formula = (row: number, col: number, cached: number, tokens: Bytes, extra: Bytes = u8()): Bytes =>
  record(0x06, u16(row, col, 0), f64(cached), u16(0), u32(0), u16(tokens.length), tokens, extra);

/** A note: its object, its text in two pieces, and where it stands. */
export function note(row: number, col: number, author: string, text: string, object: number): Bytes[] {
  return [
    record(0x5d, u16(0x15, 0x12, 0x19, object), new Uint8Array(14)),
    record(0x1b6, u16(0, 0, 0, 0, 0, text.length, 16), u32(0)),
    record(0x3c, u8(1), utf16(text)),
    record(0x3c, u16(0, 0), u32(0), u16(text.length, 0), u32(0)),
    record(0x1c, u16(row, col, 0, object), text16(author), u8(0)),
  ];
}

const hexBytes = (hex: string): Bytes => new Uint8Array(Buffer.from(hex, 'hex'));

export function link(row: number, col: number, url: string): Bytes {
  const address = utf16(`${url}\0`);
  return record(
    0x1b8,
    u16(row, row, col, col),
    hexBytes('d0c9ea79f9bace118c8200aa004ba90b'),
    u32(2, 3),
    hexBytes('e0c9ea79f9bace118c8200aa004ba90b'),
    u32(address.length),
    address,
  );
}
