import { sha256 } from '../../lib/hash.ts';
import type { HostServices } from './services.ts';
import type { LoggedRevision } from './protocol.ts';
import type { WorkerThreads } from './worker-threads.ts';

const revisionsTogether = 500;
/** Opening is exempt from the calculation budget; only a hang ends it. */
const openPatienceMs = 10 * 60_000;

/** A copied or imported document begins with a snapshot that no log can replace. */
export class SnapshotLost extends Error {}

/**
 * The newest snapshot that is whole, at most of that version. A damaged one is passed over, because the log has everything;
 * only the one of version 0 has nothing before it.
 */
export async function readSnapshot(services: HostServices, file: string, atMost: number): Promise<{ version: number; bytes: Uint8Array } | undefined> {
  const known = await services.sheets.snapshots(file, atMost);
  for (const snapshot of known) {
    const stream = await services.blobs.get(snapshot.blobKey);
    if (!stream) continue;
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    if (sha256(bytes) === snapshot.sha256) return { version: snapshot.version, bytes: new Uint8Array(bytes) };
    services.log.warn({ file, version: snapshot.version, blob: snapshot.blobKey }, 'a snapshot is damaged; using an older one');
  }
  if (known.some((one) => one.version === 0)) throw new SnapshotLost(`the snapshot that document ${file} begins with is damaged or missing`);
  return undefined;
}

export async function revisionPage(services: HostServices, file: string, after: number): Promise<LoggedRevision[]> {
  const revisions = await services.sheets.revisions(file, after, revisionsTogether);
  return revisions.map(({ version, at, seed, mutations }) => ({ version, at, seed, mutations }));
}

export async function loadDocument(services: HostServices, threads: WorkerThreads, file: string): Promise<{ version: number; snapshotVersion: number; cells: number; ms: number }> {
  const snapshot = await readSnapshot(services, file, Number.MAX_SAFE_INTEGER);
  const from = snapshot?.version ?? 0;
  let revisions = await revisionPage(services, file, from);
  let state = await threads.ask({ do: 'open', file, snapshot: snapshot?.bytes, version: from, revisions }, openPatienceMs);
  while (revisions.length === revisionsTogether) {
    revisions = await revisionPage(services, file, state.version);
    if (revisions.length === 0) break;
    const { ms } = state;
    state = await threads.ask({ do: 'apply', file, revisions }, openPatienceMs);
    state.ms += ms;
  }
  return { ...state, snapshotVersion: from };
}
