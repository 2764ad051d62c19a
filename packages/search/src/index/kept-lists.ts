import type { FieldWeights } from './postings.ts';
import type { UnitList } from './unit-list.ts';

/** What a list takes beside its numbers, about. */
const overhead = 256;

/**
 * Lists of words that were asked for, read and ready, over whole segments: those change never, so that a list stays true.
 * Few words are in most questions. The least lately used are given up first.
 */
export class KeptLists {
  readonly #max: number;
  readonly #lists = new Map<string, UnitList>();
  readonly #fields = new Map<FieldWeights, number>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#max = maxBytes;
  }

  /** What a list is known by: the word in all its forms, the fields that count, the segment. */
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
