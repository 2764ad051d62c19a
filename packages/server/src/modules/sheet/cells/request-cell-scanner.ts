import { isUtf8 } from 'node:buffer';
import { JsonScanner, encodeLiteral } from './json-scanner.ts';
import { maxFormulaLength, maxTextLength, groupContentsSteps, type CellContent } from './cell-input.ts';
import { packContentsSteps, type PackedContents } from './packed-contents.ts';
import { maxCols, maxRows } from '@sheaf/engine';

/**
 * Cells that were read directly from the request body, without creating an object for each cell. `contents` has the
 * form that is sent to the document's worker thread.
 */
export class ScannedCells {
  readonly contents: PackedContents;
  constructor(contents: PackedContents) {
    this.contents = contents;
  }
}

const valuesKey = '"values":[';
/** Number of bytes scanned before yielding to the event loop. They take some milliseconds. */
const bytesPerSlice = 2 ** 20;
/**
 * Maximum length of the body before and after the list of cells. The other fields of the request are only a few ids; a
 * longer body is left to the JSON parser.
 */
const maxOtherFieldsLength = 4096;
/**
 * Minimum length of a valid cell in JSON, used to size the arrays for the cells. The shortest cell is
 * `{"row":0,"col":0,"value_type":"FORMULA","formula":"1"}`.
 */
const shortestCell = 54;

const row = 1;
const col = 2;
const type = 4;
const number = 8;
const text = 16;
const bool = 32;
const formula = 64;
const fields = [row, col, type, number, text, bool, formula];
const fieldNames = ['row', 'col', 'value_type', 'number_value', 'string_value', 'bool_value', 'formula'].map((name) =>
  encodeLiteral(`"${name}":`),
);
const types = [number, text, bool, formula];
const typeNames = ['NUMBER', 'STRING', 'BOOL', 'FORMULA'].map((name) => encodeLiteral(`"${name}"`));

/**
 * Reads a request body whose cells are simple and valid. Creates no object per cell and takes a third of the JSON
 * parser's time. Returns undefined for any other body, which the JSON parser and the schema then handle.
 */
export function* scanRequestCellsSteps(
  bytes: Uint8Array,
  maxCells: number,
): Generator<void, Record<string, unknown> | undefined> {
  // Yield first, because assembling the body has already blocked the event loop for some time.
  yield;
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const key = body.subarray(0, maxOtherFieldsLength).indexOf(valuesKey);
  if (key < 0 || !isUtf8(bytes)) return undefined;
  const start = key + valuesKey.length;
  const list = new CellListScanner(body, start, maxCells);
  const end = yield* list.scan();
  if (end === undefined || body.length - end > maxOtherFieldsLength) return undefined;
  const around = parseOtherFields(body.toString('utf8', 0, start), body.toString('utf8', end));
  if (!around) return undefined;
  return { ...around, values: new ScannedCells(yield* list.contents()) };
}

/**
 * Parses the fields before and after the list of cells, together with the list's brackets. Returns undefined if they
 * contain nested values, escapes or a second `values`: the scanned list might then not be the value of the top-level
 * field `values`.
 */
function parseOtherFields(before: string, after: string): Record<string, unknown> | undefined {
  if (!before.startsWith('{') || /[[{\\]/.test(before.slice(1, -1)) || /[[{\\]|"values"/.test(after)) return undefined;
  try {
    return JSON.parse(before + after) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

class CellListScanner {
  readonly #scanner: JsonScanner;
  readonly #maxCells: number;
  readonly #rows: Int32Array;
  readonly #cols: Int32Array;
  readonly #numbers: Float64Array;
  /** Non-numeric contents by cell index. Allocated when the first such content occurs. */
  #others: (Exclude<CellContent, number> | undefined)[] | undefined;
  #count = 0;

  constructor(body: Buffer, start: number, maxCells: number) {
    this.#scanner = new JsonScanner(body, start);
    this.#maxCells = maxCells;
    const most = Math.min(maxCells, Math.ceil((body.length - start) / shortestCell));
    this.#rows = new Int32Array(most);
    this.#cols = new Int32Array(most);
    this.#numbers = new Float64Array(most);
  }

  *contents(): Generator<void, PackedContents> {
    const count = this.#count;
    const numbers = this.#numbers;
    const others = this.#others;
    return yield* packContentsSteps(
      yield* groupContentsSteps(
        this.#rows.subarray(0, count),
        this.#cols.subarray(0, count),
        others ? (index) => others[index] ?? numbers[index]! : (index) => numbers[index]!,
      ),
    );
  }

  #put(index: number, content: Exclude<CellContent, number>): void {
    // Allocate the full length now, because reading past an array's end is slow.
    this.#others ??= unsetOf(this.#numbers.length);
    this.#others[index] = content;
  }

  /**
   * Scans the JSON list of cells in the request body. Returns the position of its closing bracket, or undefined if a
   * cell is not in the simple form that this scanner supports.
   */
  *scan(): Generator<void, number | undefined> {
    const scanner = this.#scanner;
    let turnAt = scanner.at + bytesPerSlice;
    do {
      if (scanner.at > turnAt) {
        turnAt = scanner.at + bytesPerSlice;
        yield;
      }
      if (this.#count === this.#maxCells || !this.#cell()) return undefined;
      this.#count++;
    } while (scanner.take(0x2c));
    const end = scanner.at;
    return scanner.take(0x5d) ? end : undefined;
  }

  #cell(): boolean {
    const scanner = this.#scanner;
    const index = this.#count;
    if (!scanner.take(0x7b)) return false;
    let seen = 0;
    let nulls = 0;
    let declared = 0;
    // Cells usually have their fields in the same order, so try the expected field first.
    let next = 0;
    do {
      const place = scanner.takeOneOf(fieldNames, next);
      if (place < 0) return false;
      const field = fields[place]!;
      if ((seen & field) !== 0) return false;
      seen |= field;
      next = place + 1;
      // A null in a value field counts as absent (kernel/strip-nulls.ts). The schema refuses a null in any other field.
      if (field >= number && scanner.takeNull()) {
        nulls |= field;
        continue;
      }
      switch (field) {
        case row:
          if (!((this.#rows[index] = scanner.takeIndex()) >= 0) || this.#rows[index]! >= maxRows) return false;
          break;
        case col:
          if (!((this.#cols[index] = scanner.takeIndex()) >= 0) || this.#cols[index]! >= maxCols) return false;
          break;
        case type: {
          const named = scanner.takeOneOf(typeNames, 0);
          if (named < 0) return false;
          declared = types[named]!;
          next = 3 + named;
          break;
        }
        case number:
          if (Number.isNaN((this.#numbers[index] = scanner.takeNumber()))) return false;
          break;
        case text: {
          const value = scanner.takeText();
          if (value === undefined || value.length > maxTextLength) return false;
          this.#put(index, value);
          break;
        }
        case bool: {
          const value = scanner.takeBoolean();
          if (value === undefined) return false;
          this.#put(index, value);
          break;
        }
        default: {
          const value = scanner.takeText();
          if (value === undefined || value.length > maxFormulaLength) return false;
          const trimmed = value.trim();
          if (trimmed === '' || trimmed === '=') return false;
          this.#put(index, { formula: value.startsWith('=') ? value : `=${value}` });
        }
      }
    } while (scanner.take(0x2c));
    return scanner.take(0x7d) && declared !== 0 && (seen & ~nulls) === (row | col | type | declared);
  }
}

/** Returns an array filled with undefined. This is several times faster than `Array.from` for a million entries. */
function unsetOf(length: number): undefined[] {
  const list: undefined[] = [];
  list.length = length;
  return list.fill(undefined);
}
