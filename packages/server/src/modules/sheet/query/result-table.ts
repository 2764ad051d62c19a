import { bandRows, chargeMemory, logicalTag, numberTag, textTag } from '@sheaf/engine/internal/document';
import { charge } from '@sheaf/engine';
import type { QueryTable, TableBand } from './row-sources.ts';
import type { QueryResult } from './query-result.ts';

/**
 * Bytes of a stored cell (a type tag and a number) and calculation steps for storing it. They count toward the limits
 * of the current call.
 */
const bytesPerCell = 9;
const stepsPerCell = 8;

/** Stores texts that queries compute. Their ids are negative, unlike the ids of the document's own texts. */
export class ComputedTexts {
  readonly #texts: string[] = [];
  readonly #ids = new Map<string, number>();

  idOf(text: string): number {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = -this.#texts.push(text);
      this.#ids.set(text, id);
      chargeMemory(2 * text.length + 32);
    }
    return id;
  }

  get(id: number): string {
    return this.#texts[-id - 1]!;
  }
}

/**
 * Stores the result of a derived table (a select in FROM) or of a named query (in WITH) as a table that other queries
 * can read. The columns have the same form as the cells of a sub-sheet.
 */
export function createResultTable({ columns, rows }: QueryResult, name: string, texts: ComputedTexts): QueryTable {
  chargeMemory(rows.length * columns.length * bytesPerCell);
  charge(rows.length * columns.length * stepsPerCell);
  const bands: TableBand[] = [];
  for (let start = 0; start < rows.length; start += bandRows) {
    const height = Math.min(bandRows, rows.length - start);
    const chunks = columns.map((_, col) => {
      const tags = new Uint8Array(height);
      const nums = new Float64Array(height);
      for (let at = 0; at < height; at++) {
        const value = rows[start + at]![col] ?? null;
        if (value === null) continue;
        tags[at] = typeof value === 'number' ? numberTag : typeof value === 'string' ? textTag : logicalTag;
        nums[at] = typeof value === 'string' ? texts.idOf(value) : Number(value);
      }
      return { rows: height, tags, nums };
    });
    bands.push({ start, height, chunks });
  }
  return {
    sub: undefined,
    cells: { bands, bandAt: (row) => bands[Math.floor(row / bandRows)] },
    lastRow: rows.length - 1,
    rect: { top: 0, left: 0, bottom: Math.max(0, rows.length - 1), right: Math.max(0, columns.length - 1) },
    names: columns.map((one) => one.name),
    patterns: columns.map((one) => one.pattern),
    name,
    alias: name,
  };
}
