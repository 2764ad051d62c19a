import { runYielding } from '../../../lib/event-loop.ts';

/**
 * Rows in the form that is sent to the document's thread. Many rows are packed as JSON bytes, because structured
 * cloning copies bytes at once, but lists entry by entry.
 */
export type PackedRows<Row> = readonly Row[] | { readonly pieces: readonly Uint8Array[] };

/**
 * Approximate size in bytes of one packed piece; smaller inputs are not packed. Packing yields to the event loop after
 * each piece.
 */
const pieceSize = 200_000;

/**
 * Packs the rows of a tool's input before they are sent to the document's thread. Returns the input unchanged if its
 * rows are smaller than one piece (`pieceSize`).
 */
export function packRows<Input extends { rows: readonly (readonly unknown[])[] }>(
  input: Input,
): PackedInput<Input> | Promise<PackedInput<Input>> {
  const { rows } = input;
  if (pieceEnd(rows, 0) === rows.length) return input;
  return runYielding(packPiecesSteps(rows)).then((pieces) => ({ ...input, rows: { pieces } }));
}

type PackedInput<Input extends { rows: readonly unknown[] }> = Omit<Input, 'rows'> & {
  rows: PackedRows<Input['rows'][number]>;
};

/**
 * Returns whether the rows are packed, that is, given as pieces of JSON in Uint8Arrays. The rows of a request cannot
 * look like this, because JSON has no Uint8Array.
 */
export function isPackedRows(rows: object): rows is { readonly pieces: readonly Uint8Array[] } {
  return 'pieces' in rows && Array.isArray(rows.pieces) && rows.pieces[0] instanceof Uint8Array;
}

export function unpackRows<Row>(rows: PackedRows<Row>): readonly Row[] {
  if (!isPackedRows(rows)) return rows as readonly Row[];
  return rows.pieces.flatMap((piece) => JSON.parse(Buffer.from(piece).toString()) as Row[]);
}

function* packPiecesSteps(rows: readonly (readonly unknown[])[]): Generator<void, Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for (let at = 0, end: number; at < rows.length; at = end) {
    end = pieceEnd(rows, at);
    pieces.push(Buffer.from(JSON.stringify(rows.slice(at, end))));
    yield;
  }
  return pieces;
}

/**
 * Returns the index after the last row of the piece that starts at row `from`. A piece holds about `pieceSize` bytes of
 * rows, which are handled without yielding to the event loop.
 */
function pieceEnd(rows: readonly (readonly unknown[])[], from: number): number {
  let size = 0;
  let at = from;
  for (; at < rows.length && size < pieceSize; at++) {
    size += 8;
    for (const value of rows[at]!) size += typeof value === 'string' ? 8 + value.length : 8;
  }
  return at;
}
