import { yieldToEventLoop } from '../../lib/event-loop.ts';
import type { SearchEntry } from '../../ports/search-index.ts';
import type { ChangeBatch, OutboxChange } from './outbox.ts';

/** Loads the current state of entries; ids left out are deleted. */
export type EntryLoader = (ids: string[]) => Promise<SearchEntry[]>;

/** Changes of one space that are written to the index together. */
export interface LoadedChunk {
  readonly batch: ChangeBatch;
  readonly space: string;
  readonly changes: readonly OutboxChange[];
  readonly entries: readonly SearchEntry[];
  /** Ids that no longer exist. */
  readonly deletedIds: readonly string[];
  /** Why loading failed. */
  readonly failure?: { readonly error: unknown };
}

/** Maximum number of ids per load. */
const atOnce = 50;
/** Maximum number of concurrent loads of small entries; each needs several database round trips. */
const maxLoads = 4;
/** Approximate size of a piece in characters: large enough for an efficient segment, small enough to hold two in memory. */
const maxCharacters = 2 ** 21;

/** Splits a batch into pieces, each loaded when the consumer requests it. */
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

/** Loads the first changes, as many as fit into a piece. */
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
  /** Characters in the most recent load. */
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
        // Mark the rejection as handled: an earlier load may fail first, and then this one is never awaited.
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
