import type { StatementSyncInstance } from '@photostructure/sqlite';
import { range } from './sqlite-schema.ts';

/**
 * The times of modification once more, as a column of their own: ordering a hundred matches by time means a hundred
 * numbers from a few arrays, instead of a hundred rows from all over a table. A piece holds the times of entries
 * numbered side by side. An entry that changes gets a new number, and no number is given twice: what was read of a piece
 * stays true, however long it is kept; only what is missing in it has to be read again.
 */

/** So many times of eight bytes, with what SQLite adds, fill one page of the file. */
const perPiece = 500;

function rangeStart(number: number): number {
  return Math.floor(number / range) * range;
}

function pieceOf(number: number): number {
  const start = rangeStart(number);
  return start + Math.floor((number - start) / perPiece);
}

/** The number in the first slot of a piece. */
function firstOf(piece: number): number {
  const start = rangeStart(piece);
  return start + (piece - start) * perPiece;
}

/** A copy, because what SQLite hands over need not begin where eight bytes may. */
function timesOf(bytes: Uint8Array): Float64Array {
  return new Float64Array(bytes.slice().buffer);
}

const nothing = new Float64Array(0);

type Prepare = (sql: string) => StatementSyncInstance;

/** Pieces kept in memory, 4 kB each: the times of two million entries. Past that it starts anew. */
const maxKept = 4096;

export class TimesReader {
  readonly #select: StatementSyncInstance;
  readonly #kept = new Map<number, Float64Array>();

  constructor(space: string, prepare: Prepare) {
    this.#select = prepare(`SELECT times FROM times_${space} WHERE piece = ?`);
  }

  /** When the entries of these ascending numbers were modified; to be asked inside the transaction that found them. */
  of(numbers: Float64Array): Float64Array {
    const found = new Float64Array(numbers.length);
    let piece = Number.NaN;
    let first = 0;
    let end = 0;
    let times: Float64Array = nothing;
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i] ?? 0;
      if (number >= end) {
        piece = pieceOf(number);
        first = firstOf(piece);
        end = first + perPiece;
        times = this.#kept.get(piece) ?? nothing;
      }
      let time = times[number - first];
      if (time === undefined || Number.isNaN(time)) {
        times = this.#read(piece);
        time = times[number - first] ?? Number.NaN;
      }
      found[i] = time;
    }
    return found;
  }

  #read(piece: number): Float64Array {
    const row = this.#select.get(piece) as { times: Uint8Array } | undefined;
    const times = row ? timesOf(row.times) : nothing;
    if (this.#kept.size >= maxKept) this.#kept.clear();
    this.#kept.set(piece, times);
    return times;
  }
}

/** Gathers the changes of a transaction, so that each piece is written once. */
export class TimesWriter {
  readonly #prepare: Prepare;
  readonly #space: string;
  readonly #changed = new Map<number, Float64Array>();

  constructor(space: string, prepare: Prepare) {
    this.#space = space;
    this.#prepare = prepare;
  }

  set(number: number, time: number): void {
    const piece = pieceOf(number);
    const slot = number - firstOf(piece);
    let times = this.#piece(piece);
    if (slot >= times.length) {
      const longer = new Float64Array(slot + 1).fill(Number.NaN);
      longer.set(times);
      times = longer;
    }
    times[slot] = time;
    this.#changed.set(piece, times);
  }

  unset(number: number): void {
    const piece = pieceOf(number);
    const times = this.#piece(piece);
    const slot = number - firstOf(piece);
    if (slot < times.length) times[slot] = Number.NaN;
    this.#changed.set(piece, times);
  }

  flush(): void {
    for (const [piece, times] of this.#changed) {
      if (times.every(Number.isNaN)) this.#prepare(`DELETE FROM times_${this.#space} WHERE piece = ?`).run(piece);
      else
        this.#prepare(`INSERT OR REPLACE INTO times_${this.#space} (piece, times) VALUES (?, ?)`).run(
          piece,
          new Uint8Array(times.buffer),
        );
    }
    this.#changed.clear();
  }

  /** Forgets what was gathered: the transaction was not committed. */
  drop(): void {
    this.#changed.clear();
  }

  #piece(piece: number): Float64Array {
    const changed = this.#changed.get(piece);
    if (changed) return changed;
    const row = this.#prepare(`SELECT times FROM times_${this.#space} WHERE piece = ?`).get(piece) as
      | { times: Uint8Array }
      | undefined;
    return row ? timesOf(row.times) : new Float64Array(0);
  }
}
