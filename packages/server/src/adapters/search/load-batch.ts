import { yieldToEventLoop } from '../../lib/event-loop.ts';
import type { SearchEntry } from '../../ports/search-index.ts';
import type { ChangeBatch, OutboxChange } from './search-outbox.ts';

/**
 * Function that loads the current state of the entries with these ids. Entries that it does not return count as
 * deleted.
 */
export type EntryLoader = (ids: string[]) => Promise<SearchEntry[]>;

/** Changes of one space (a kind of entries, such as notes) that are loaded and written to the index together. */
export interface LoadedChunk {
  readonly batch: ChangeBatch;
  readonly space: string;
  readonly changes: readonly OutboxChange[];
  readonly entries: readonly SearchEntry[];
  /** Ids of entries that no longer exist. */
  readonly deletedIds: readonly string[];
  /** Set if the entries could not be loaded. */
  readonly failure?: { readonly error: unknown };
}

/** Maximum number of entries that are loaded by one call of a loader. */
const atOnce = 50;
/**
 * Maximum number of concurrent loader calls. Calls run concurrently because each needs several database round trips. If
 * the entries are large, fewer calls run at once, so that the chunk does not exceed `maxCharacters`.
 */
const maxLoads = 4;
/**
 * Approximate maximum number of characters in the entries of one chunk. It is large enough for an efficient segment
 * (part of the index), and small enough to hold two chunks in memory.
 */
const maxCharacters = 2 ** 21;

/** Splits a batch of changes into chunks. The entries of each chunk are loaded when the consumer requests it. */
export async function* loadChunks(
  batch: ChangeBatch,
  loaders: Readonly<Record<string, EntryLoader>>,
): AsyncGenerator<LoadedChunk> {
  const spaces = new Map<string, OutboxChange[]>();
  for (const change of batch.changes) {
    const own = spaces.get(change.space);
    if (own) own.push(change);
    else spaces.set(change.space, [change]);
  }
  for (const [space, changes] of spaces)
    for (let from = 0; from < changes.length;) {
      const piece = await loadChunk(batch, space, changes.slice(from), loaders[space]);
      from += piece.changes.length;
      yield piece;
    }
}

/** Takes as many changes from the start of the list as fit into one chunk, and loads their entries. */
export async function loadChunk(
  batch: ChangeBatch,
  space: string,
  changes: readonly OutboxChange[],
  loader: EntryLoader | undefined,
): Promise<LoadedChunk> {
  const wanted = new Set<string>();
  const entries: SearchEntry[] = [];
  const loads: Promise<SearchEntry[]>[] = [];
  let characters = 0;
  /** Number of characters that the most recent loader call returned. It serves as an estimate for the next call. */
  let newest = maxCharacters;
  let to = 0;
  try {
    if (!loader) throw new Error(`the search outbox names the space ${JSON.stringify(space)}, which has no loader`);
    for (;;) {
      const isRoom = (): boolean =>
        loads.length < maxLoads && characters + (loads.length + 1) * newest <= maxCharacters;
      while (to < changes.length && (isRoom() || (loads.length === 0 && characters < maxCharacters))) {
        const next = new Set<string>();
        for (; to < changes.length && next.size < atOnce; to++) {
          const { id } = changes[to]!;
          if (!wanted.has(id)) next.add(id);
        }
        for (const id of next) wanted.add(id);
        if (next.size > 0) loads.push(loader([...next]));
        // Mark a rejection as handled, because this load is never awaited if an earlier one fails, and Node ends the
        // process at an unhandled rejection.
        loads.at(-1)?.catch(() => undefined);
      }
      const load = loads.shift();
      if (!load) break;
      newest = 0;
      for (const entry of await load) {
        entries.push(entry);
        newest += entry.title.length + entry.headings.length + entry.body.length;
      }
      characters += newest;
      await yieldToEventLoop();
    }
  } catch (error) {
    return {
      batch,
      space,
      changes: changes.slice(0, Math.max(1, to)),
      entries: [],
      deletedIds: [],
      failure: { error },
    };
  }
  const found = new Set(entries.map((entry) => entry.id));
  const gone = [...wanted].filter((id) => !found.has(id));
  return { batch, space, changes: changes.slice(0, to), entries, deletedIds: gone };
}
