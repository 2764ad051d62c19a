import { PassageIndex } from '@sheaf/search/passages/passage-index';
import { buildOutline } from '@sheaf/search/passages/split-passages';
import { runYielding } from '../../lib/event-loop.ts';
import { sha256 } from '../../lib/hash.ts';
import type { SourceText } from '../../ports/search-source.ts';

/** Size of all cached indexes in bytes: some fifty long reports. */
const maxBytes = 16 * 2 ** 20;

/** Keeps the passage indexes of recently searched texts, because building one takes far longer than asking it. */
export class PassageIndexCache {
  readonly #indexes = new Map<string, PassageIndex>();
  #bytes = 0;

  async get({ body, headings, outline = buildOutline(body, headings) }: SourceText): Promise<PassageIndex> {
    // The outline belongs to the key: a blank row that is inserted moves a table and leaves its text as it was.
    const key = sha256(body) + sha256(JSON.stringify(outline));
    let index = this.#indexes.get(key);
    if (index) {
      this.#indexes.delete(key);
      this.#bytes -= index.size;
    } else index = await runYielding(PassageIndex.build(body, outline));
    // Another request may have built it meanwhile.
    if (!this.#indexes.has(key)) this.#bytes += index.size;
    this.#indexes.set(key, index);
    for (const [oldest, { size }] of this.#indexes) {
      if (this.#bytes <= maxBytes) break;
      this.#indexes.delete(oldest);
      this.#bytes -= size;
    }
    return index;
  }
}
