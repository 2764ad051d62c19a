import { join } from 'node:path';
import { root } from './figures.ts';

const entries = 2000;
/** Number of entries that are written to the search index per call. */
const batch = 1000;
/** Time in milliseconds after the last write until the search index has merged its small segments, plus a margin. */
const untilMergedMs = 2500;

interface IndexingPlaces {
  /** Source file of the checkout's search index on SQLite. */
  readonly adapter: string;
  /** Path of the built script of the index's worker thread. */
  readonly worker: string;
  readonly folder: string;
}

/**
 * Returns the source of a program that measures how fast a search index is built. For each line on stdin it builds an
 * index of the same entries, waits until its segments (parts of the index) are merged, and prints the processor time
 * per entry in milliseconds.
 */
export function indexingProgram({ adapter, worker, folder }: IndexingPlaces): string {
  return `
    import { mkdtempSync, rmSync } from 'node:fs';
    import { join } from 'node:path';
    import { createInterface } from 'node:readline';
    import { corpus } from ${JSON.stringify(join(root, 'tools', 'bench', 'search', 'corpus.ts'))};
    import { SqliteSearchIndex } from ${JSON.stringify(adapter)};
    const all = [...corpus({ count: ${entries} })];
    for await (const line of createInterface({ input: process.stdin })) {
      const place = mkdtempSync(${JSON.stringify(join(folder, 'index-'))});
      const index = await SqliteSearchIndex.open({ path: join(place, 'search.db'), worker: ${JSON.stringify(worker)} });
      const before = process.cpuUsage();
      for (let from = 0; from < all.length; from += ${batch}) await index.put(all.slice(from, from + ${batch}));
      await new Promise((resolve) => setTimeout(resolve, ${untilMergedMs}));
      await index.close();
      const { user, system } = process.cpuUsage(before);
      rmSync(place, { recursive: true, force: true });
      console.log(JSON.stringify({ 'indexing an entry until it is merged': (user + system) / 1000 / ${entries} }));
    }`;
}
