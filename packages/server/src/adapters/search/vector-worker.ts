import { vectorsFromBytes, findNearest, type QuantizedVectors } from '@sheaf/search/index/quantized-vectors';
import { handleWorkerTasks } from '../../lib/handle-worker-tasks.ts';
import type { NearestEntry, VectorRow, VectorTask } from './vector-worker-protocol.ts';

/**
 * Vectors of the entries of one owner (such as a user or a knowledge base), in the memory of this thread. A query is
 * compared with every vector, without an approximate index. This runs in a worker thread, so that it does not block
 * requests.
 */
interface OwnerVectors {
  seq: number;
  bytes: number;
  things: Map<string, { seq: number; vectors: QuantizedVectors }>;
}

/**
 * Memory limit in bytes. Above it, the vectors of the least recently used owners are evicted and loaded again on
 * demand.
 */
const maxBytes = 512 * 2 ** 20;

/** Vectors by space (such as `note`) and owner, least recently used first. */
const owned = new Map<string, OwnerVectors>();
let bytes = 0;

const keyOf = (space: string, owner: string): string => `${space} ${owner}`;

handleWorkerTasks<VectorTask>({
  perform(task) {
    switch (task.kind) {
      case 'known':
        return task.owners.map((owner) => owned.get(keyOf(task.space, owner))?.seq ?? -1);
      case 'load':
        return load(task);
      case 'nearest':
        return nearest(task);
    }
  },
});

function load({ space, owners, rows, seq }: Extract<VectorTask, { kind: 'load' }>): void {
  for (const row of rows) put(ownedBy(space, row.owner), row);
  if (seq !== undefined) for (const owner of owners) ownedBy(space, owner).seq = seq;
  const used = new Set(owners.map((owner) => keyOf(space, owner)));
  for (const [key, one] of owned) {
    if (bytes <= maxBytes) return;
    if (used.has(key)) continue;
    owned.delete(key);
    bytes -= one.bytes;
  }
}

function ownedBy(space: string, owner: string): OwnerVectors {
  const key = keyOf(space, owner);
  const found = owned.get(key) ?? { seq: -1, bytes: 0, things: new Map() };
  owned.set(key, found);
  return found;
}

function put(to: OwnerVectors, row: VectorRow): void {
  const before = to.things.get(row.id);
  if (before && before.seq >= row.seq) return;
  const size = row.data.length - (before ? before.vectors.numbers.length + before.vectors.factors.length * 4 : 0);
  to.bytes += size;
  bytes += size;
  if (row.data.length === 0) to.things.delete(row.id);
  else to.things.set(row.id, { seq: row.seq, vectors: vectorsFromBytes(row.data, row.dimensions) });
}

function nearest(task: Extract<VectorTask, { kind: 'nearest' }>): NearestEntry[] {
  const { space, owners, query, limit, atLeast, ids } = task;
  const found: NearestEntry[] = [];
  for (const owner of owners) {
    const key = keyOf(space, owner);
    const own = owned.get(key);
    if (!own) continue;
    owned.delete(key);
    owned.set(key, own);
    for (const id of ids ?? own.things.keys()) {
      const vectors = own.things.get(id)?.vectors;
      if (!vectors) continue;
      const best = findNearest(query, vectors);
      if (best && (atLeast === undefined || best.score >= atLeast)) found.push({ id, owner, ...best });
    }
  }
  found.sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0));
  // Return each entry only once. An entry that changed its owner may still be listed under both owners.
  const seen = new Set<string>();
  return found.filter(({ id }) => !seen.has(id) && seen.add(id)).slice(0, limit);
}
