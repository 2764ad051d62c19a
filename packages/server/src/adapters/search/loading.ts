import type { SearchEntry } from '../../ports/search-index.ts';
import type { Batch, Change } from './outbox.ts';

/** Gives the present state of the ids; an id it leaves out is no longer there. */
export type Loader = (ids: string[]) => Promise<SearchEntry[]>;

/** Changes of one space that are written to the index together. */
export interface Piece {
  readonly batch: Batch;
  readonly space: string;
  readonly changes: readonly Change[];
  readonly entries: readonly SearchEntry[];
  /** What is no longer there. */
  readonly gone: readonly string[];
  /** Why it could not be loaded. */
  readonly failure?: { readonly error: unknown };
}

/** So many things are loaded in one turn of the event loop. */
const atOnce = 50;
/** Loads under way at the same time, where things are small: each takes several turns with the database. */
const maxLoads = 4;
/** Characters of a piece, about: enough for a segment worth its price, few enough to keep in memory twice. */
const maxCharacters = 2 ** 21;

/** The pieces of a batch, each loaded when it is asked for. */
export async function* piecesOf(batch: Batch, loaders: Readonly<Record<string, Loader>>): AsyncGenerator<Piece> {
  const spaces = new Map<string, Change[]>();
  for (const change of batch.changes) {
    const own = spaces.get(change.space);
    if (own) own.push(change);
    else spaces.set(change.space, [change]);
  }
  for (const [space, changes] of spaces)
    for (let from = 0; from < changes.length;) {
      const piece = await pieceOf(batch, space, changes.slice(from), loaders[space]);
      from += piece.changes.length;
      yield piece;
    }
}

/** The first of the changes, as many as make a piece. */
export async function pieceOf(
  batch: Batch,
  space: string,
  changes: readonly Change[],
  loader: Loader | undefined,
): Promise<Piece> {
  const wanted = new Set<string>();
  const entries: SearchEntry[] = [];
  const loads: Promise<SearchEntry[]>[] = [];
  let characters = 0;
  /** Of the last load. */
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
        // The one that is waited for first tells; the others may not be asked any more.
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
      await new Promise((resolve) => setImmediate(resolve));
    }
  } catch (error) {
    return { batch, space, changes: changes.slice(0, Math.max(1, to)), entries: [], gone: [], failure: { error } };
  }
  const found = new Set(entries.map((entry) => entry.id));
  const gone = [...wanted].filter((id) => !found.has(id));
  return { batch, space, changes: changes.slice(0, to), entries, gone };
}
