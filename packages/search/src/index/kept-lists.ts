import type { FieldWeights } from './postings.ts';
import type { UnitList } from './unit-list.ts';

/** Approximate memory of a cached list besides its numbers, in bytes. */
const overhead = 256;

/**
 * Cache of decoded postings over whole segments, with least recently used eviction. Segments are immutable, so entries
 * never become stale; a few words occur in most queries.
 */
export class KeptLists {
  readonly #max: number;
  readonly #lists = new Map<string, UnitList>();
  readonly #fields = new Map<FieldWeights, number>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#max = maxBytes;
  }

  /** Builds the cache key from the segment, the fields with weights, and the word in all its forms. */
  keyOf(segment: number, unit: string, weights: FieldWeights): string {
    let fields = this.#fields.get(weights);
    if (fields === undefined) this.#fields.set(weights, (fields = this.#fields.size));
    return `${segment} ${fields} ${unit}`;
  }

  get(key: string): UnitList | undefined {
    const list = this.#lists.get(key);
    if (list) {
      this.#lists.delete(key);
      this.#lists.set(key, list);
    }
    return list;
  }

  keep(key: string, list: UnitList): void {
    const size = sizeOf(list);
    if (size > this.#max / 4 || this.#lists.has(key)) return;
    this.#lists.set(key, list);
    this.#bytes += size;
    for (const [oldest, old] of this.#lists) {
      if (this.#bytes <= this.#max) break;
      this.#lists.delete(oldest);
      this.#bytes -= sizeOf(old);
    }
  }
}

function sizeOf({ documents, counts, isExact }: UnitList): number {
  const flags = typeof isExact === 'boolean' ? 0 : isExact.byteLength;
  return documents.byteLength + counts.byteLength + flags + overhead;
}
