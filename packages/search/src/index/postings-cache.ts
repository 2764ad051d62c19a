import type { FieldWeights } from './postings.ts';
import type { TermPostings } from './term-postings.ts';

/** Estimated bytes of memory that a cached postings list takes in addition to its arrays. */
const overhead = 256;

/**
 * Cache of decoded postings lists (the documents that contain a word), each covering a whole segment of the search
 * index. The least recently used lists are evicted first. Segments never change, so entries never become stale.
 */
export class PostingsCache {
  readonly #max: number;
  readonly #entries = new Map<string, TermPostings>();
  readonly #fields = new Map<FieldWeights, number>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#max = maxBytes;
  }

  /**
   * Builds a cache key from the segment number, the field weights, and `unit`, which identifies a query word with all
   * its forms.
   */
  keyOf(segment: number, unit: string, weights: FieldWeights): string {
    let fields = this.#fields.get(weights);
    if (fields === undefined) this.#fields.set(weights, (fields = this.#fields.size));
    return `${segment} ${fields} ${unit}`;
  }

  get(key: string): TermPostings | undefined {
    const list = this.#entries.get(key);
    if (list) {
      this.#entries.delete(key);
      this.#entries.set(key, list);
    }
    return list;
  }

  put(key: string, list: TermPostings): void {
    const size = sizeOf(list);
    if (size > this.#max / 4 || this.#entries.has(key)) return;
    this.#entries.set(key, list);
    this.#bytes += size;
    if (this.#bytes <= this.#max) return;
    for (const [oldest, old] of this.#entries) {
      if (this.#bytes <= this.#max) break;
      this.#entries.delete(oldest);
      this.#bytes -= sizeOf(old);
    }
  }
}

function sizeOf({ documents, counts, isExact }: TermPostings): number {
  const flags = typeof isExact === 'boolean' ? 0 : isExact.byteLength;
  return documents.byteLength + counts.byteLength + flags + overhead;
}
