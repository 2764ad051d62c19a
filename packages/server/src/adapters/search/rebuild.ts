import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../lib/log.ts';
import type { SearchIndex } from '../../ports/search-index.ts';
import type { Database } from '../sql/database.ts';
import { noteChange } from '../sql/search-outbox.ts';

/** The ids of everything in a space. */
export type AllIds = () => Iterable<string> | AsyncIterable<string>;

export interface RebuildOptions {
  database: Database;
  index: Pick<SearchIndex, 'clear' | 'needsRebuild' | 'takeRebuild' | 'rebuilt'>;
  log: Log;
  /** Told whenever more is listed. */
  onListed: () => void;
  isStopped: () => boolean;
}

/** How many are listed in one transaction. */
const atOnce = 200;
/** How often a node that waits for another's rebuild looks. */
const elsewhereMs = 500;

/** Rebuilds all spaces when the index is new, was damaged or is of an older format. */
export async function rebuildIfNeeded(
  options: RebuildOptions,
  sources: Readonly<Record<string, AllIds>>,
): Promise<boolean> {
  const { index, log, isStopped } = options;
  if (!index.needsRebuild) return false;
  for (let turn = await index.takeRebuild(); turn !== 'mine'; turn = await index.takeRebuild()) {
    if (turn === 'done' || isStopped()) return false;
    await sleep(elsewhereMs, undefined, { ref: false });
  }
  for (const [space, allIds] of Object.entries(sources)) {
    const count = await listSpace(options, space, allIds());
    if (count > 0) log.info({ space, count }, 'rebuilding the search index');
  }
  if (isStopped()) return false;
  // The outbox is durable: from here on a crash loses nothing.
  await index.rebuilt();
  return true;
}

/** Empties a space and lists everything in it as changed. */
async function listSpace(
  { database, index, onListed, isStopped }: RebuildOptions,
  space: string,
  allIds: Iterable<string> | AsyncIterable<string>,
): Promise<number> {
  await index.clear(space);
  let count = 0;
  let chunk: string[] = [];
  const list = async (): Promise<void> => {
    const ids = chunk;
    chunk = [];
    count += ids.length;
    await database.write(null, async (tx) => {
      for (const id of ids) await noteChange(tx, space, id);
    });
    if (index.needsRebuild) await index.takeRebuild();
    onListed();
  };
  for await (const id of allIds) {
    if (isStopped()) return count;
    chunk.push(id);
    if (chunk.length >= atOnce) await list();
  }
  if (chunk.length > 0) await list();
  return count;
}
