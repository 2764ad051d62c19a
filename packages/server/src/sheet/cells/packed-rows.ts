import { inTurns } from '../../lib/in-turns.ts';

/** Rows on their way to the document's thread: many travel as JSON, because lists are copied there one by one and bytes at once. */
export type PackedRows<Row> = readonly Row[] | { readonly pieces: readonly Uint8Array[] };

/** Characters and values from which on packing pays, and that are packed before others get their turn. */
const pieceSize = 200_000;

/** For `pack`: the input with its rows packed if they are many. */
export function withPackedRows<Input extends { rows: readonly (readonly unknown[])[] }>(
  input: Input,
): WithPackedRows<Input> | Promise<WithPackedRows<Input>> {
  const { rows } = input;
  if (rowsUpTo(rows, 0) === rows.length) return input;
  return inTurns(piecesOf(rows)).then((pieces) => ({ ...input, rows: { pieces } }));
}

type WithPackedRows<Input extends { rows: readonly unknown[] }> = Omit<Input, 'rows'> & {
  rows: PackedRows<Input['rows'][number]>;
};

/** No caller can send bytes: a row that is named so is none of these. */
export function arePacked(rows: object): rows is { readonly pieces: readonly Uint8Array[] } {
  return 'pieces' in rows && Array.isArray(rows.pieces) && rows.pieces[0] instanceof Uint8Array;
}

export function unpackedRows<Row>(rows: PackedRows<Row>): readonly Row[] {
  if (!arePacked(rows)) return rows as readonly Row[];
  return rows.pieces.flatMap((piece) => JSON.parse(Buffer.from(piece).toString()) as Row[]);
}

function* piecesOf(rows: readonly (readonly unknown[])[]): Generator<void, Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for (let at = 0, end: number; at < rows.length; at = end) {
    end = rowsUpTo(rows, at);
    pieces.push(Buffer.from(JSON.stringify(rows.slice(at, end))));
    yield;
  }
  return pieces;
}

/** Where a piece that begins at this row ends. */
function rowsUpTo(rows: readonly (readonly unknown[])[], from: number): number {
  let size = 0;
  let at = from;
  for (; at < rows.length && size < pieceSize; at++) {
    size += 8;
    for (const value of rows[at]!) size += typeof value === 'string' ? 8 + value.length : 8;
  }
  return at;
}
