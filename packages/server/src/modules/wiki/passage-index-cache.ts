import { PassageIndex } from '@sheaf/search/passages/passage-index';
import { buildOutline } from '@sheaf/search/passages/split-passages';
import { runYielding } from '../../lib/event-loop.ts';
import { sha256 } from '../../lib/hash.ts';
import type { SourceText } from '../../ports/search-source.ts';

/** Maximum total size of the cached indexes in bytes, which is enough for some fifty long reports. */
const maxBytes = 16 * 2 ** 20;

/**
 * Caches, for recently searched texts, the indexes by which the best passages of a text are found. Building such an
 * index takes far longer than querying it.
 */
export class PassageIndexCache {
  readonly #indexes = new Map<string, PassageIndex>();
  #bytes = 0;

  async get({ body, headings, outline = buildOutline(body, headings) }: SourceText): Promise<PassageIndex> {
    // Include the outline in the key, because the outline contains the row numbers of tables. An inserted blank row
    // changes these numbers without changing the text.
    const key = sha256(body) + sha256(JSON.stringify(outline));
    let index = this.#indexes.get(key);
    if (index) {
      this.#indexes.delete(key);
      this.#bytes -= index.size;
    } else index = await runYielding(PassageIndex.build(body, outline));
    // Add the size only if the index is not cached yet. Another request may have built the same index in the meantime.
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
