import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../lib/logger.ts';
import type { SearchIndex } from '../../ports/search-index.ts';
import type { Database } from '../sql/database.ts';
import { queueForIndex } from '../sql/queue-for-index.ts';

/** Function that lists the ids of all objects of one kind, such as notes, that belong in the search index. */
export type AllIds = () => Iterable<string> | AsyncIterable<string>;

export interface RebuildOptions {
  database: Database;
  index: Pick<SearchIndex, 'clear' | 'needsRebuild' | 'takeRebuild' | 'rebuilt'>;
  log: Logger;
  /** Called each time after more entries were queued. */
  onQueued: () => void;
  isStopped: () => boolean;
}

/** Number of entries queued per transaction. */
const atOnce = 200;
/** Polling interval in milliseconds while another node rebuilds the index. */
const elsewhereMs = 500;

/**
 * Queues all entries for indexing if the index is new, damaged or of an older format. Returns whether this node queued
 * them.
 */
export async function rebuildIfNeeded(
  options: RebuildOptions,
  sources: Readonly<Record<string, AllIds>>,
): Promise<boolean> {
  let isDone = false;
  // Repeat if the index was replaced again during the rebuild.
  while (options.index.needsRebuild && !options.isStopped()) {
    if (!(await rebuild(options, sources))) return isDone;
    isDone = true;
  }
  return isDone;
}

/** Queues all entries for indexing, unless another node does. Returns whether this node queued them. */
async function rebuild(options: RebuildOptions, sources: Readonly<Record<string, AllIds>>): Promise<boolean> {
  const { index, log, isStopped } = options;
  for (let turn = await index.takeRebuild(); turn !== 'mine'; turn = await index.takeRebuild()) {
    if (turn === 'done' || isStopped()) return false;
    await sleep(elsewhereMs, undefined, { ref: false });
  }
  for (const [space, allIds] of Object.entries(sources)) {
    const count = await queueSpace(options, space, allIds());
    if (count > 0) log.info({ space, count }, 'rebuilding the search index');
  }
  if (isStopped()) return false;
  // All entries are now in the outbox, the durable queue of entries to be indexed. So the index can be marked as
  // rebuilt, because the queued entries are indexed even after a crash.
  await index.rebuilt();
  return true;
}

/** Removes all entries of a space (such as `note`) from the index and queues them for indexing. */
async function queueSpace(
  { database, index, onQueued, isStopped }: RebuildOptions,
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
      for (const id of ids) await queueForIndex(tx, space, id);
    });
    if (index.needsRebuild) await index.takeRebuild();
    onQueued();
  };
  for await (const id of allIds) {
    if (isStopped()) return count;
    chunk.push(id);
    if (chunk.length >= atOnce) await list();
  }
  if (chunk.length > 0) await list();
  return count;
}
