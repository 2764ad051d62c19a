import type { ColumnType, Rows } from '../bulk-insert.ts';

/** Type ids of PostgreSQL for the elements of an array. */
const elementTypes: Readonly<Record<ColumnType, number>> = { BYTEA: 17, BIGINT: 20, TEXT: 25 };
const headerBytes = 20;
const lengthBytes = 4;
const integerBytes = 8;
/** Value of an element's length field that marks the element as NULL. */
const nullLength = -1;

/**
 * Encodes one column of the rows as an array in PostgreSQL's binary format, which needs no escaping. Returns undefined
 * if the array would be larger than `most` bytes.
 */
export function encodeArray(type: ColumnType, rows: Rows, column: number, most: number): Buffer | undefined {
  const lengths = rows.map((row) => lengthOf(type, row[column]!));
  let size = headerBytes;
  for (const length of lengths) size += lengthBytes + Math.max(0, length);
  if (size > most) return undefined;
  const array = Buffer.allocUnsafe(size);
  array.writeInt32BE(1, 0); // number of dimensions
  array.writeInt32BE(lengths.includes(nullLength) ? 1 : 0, 4);
  array.writeInt32BE(elementTypes[type], 8);
  array.writeInt32BE(rows.length, 12);
  array.writeInt32BE(1, 16); // index of the first element
  let at = headerBytes;
  for (const [index, length] of lengths.entries()) {
    array.writeInt32BE(length, at);
    at += lengthBytes;
    if (length === nullLength) continue;
    const value = rows[index]![column]!;
    if (typeof value === 'string') array.write(value, at, length);
    else if (typeof value === 'number') writeInteger(array, value, at);
    else array.set(value, at);
    at += length;
  }
  return array;
}

function lengthOf(type: ColumnType, value: Rows[number][number]): number {
  if (value === null) return nullLength;
  if (type === 'BIGINT') {
    if (!Number.isSafeInteger(value)) throw new TypeError(`${String(value)} is not an integer`);
    return integerBytes;
  }
  if (typeof value === 'number') throw new TypeError(`the number ${value} is not of the type ${type}`);
  return typeof value === 'string' ? Buffer.byteLength(value) : value.length;
}

/** Writes an integer of 64 bits as its two halves, because a conversion to BigInt would cost more. */
function writeInteger(array: Buffer, value: number, at: number): void {
  const high = Math.floor(value / 2 ** 32);
  array.writeInt32BE(high, at);
  array.writeUInt32BE(value - high * 2 ** 32, at + 4);
}
