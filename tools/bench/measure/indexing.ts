import { join } from 'node:path';
import { root } from './figures.ts';

const entries = 2000;
/** Number of changes that the indexer writes per batch. */
const batch = 1000;
/** Time after the last write until small segments are merged, plus a margin. */
const untilMergedMs = 2500;

interface IndexingPlaces {
  /** Source file of the checkout's search index on SQLite. */
  readonly adapter: string;
  /** Path of the built script of the index's worker thread. */
  readonly worker: string;
  readonly folder: string;
}

/**
 * Returns the source of a program that measures indexing. For each line on stdin it builds an index of the same
 * entries, waits until the segments are merged, and prints the processor time per entry in milliseconds.
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
