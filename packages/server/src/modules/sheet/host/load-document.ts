import { buffer } from 'node:stream/consumers';
import { sha256 } from '../../../lib/hash.ts';
import type { RevisionId } from '../../../ports/sheet-store.ts';
import type { HostServices } from './host-services.ts';
import type { Lane, LoggedRevision, WorkerAnswer } from './protocol.ts';
import type { DocumentThreadPool } from './document-thread-pool.ts';

const revisionPageSize = 500;
/**
 * Number of revisions sent to the thread per request. Revisions that the thread did not replay in time are sent again.
 */
const revisionsPerRequest = 100;
/**
 * Time in milliseconds. If replaying a document's revisions takes longer, the document is moved to a thread for slow
 * documents.
 */
const maxQuickReplayMs = 2_000;
/**
 * Timeout in milliseconds of one request while a document is opened. Opening has no calculation budget, so the timeout
 * is long and only detects a hang.
 */
const openTimeoutMs = 10 * 60_000;

/**
 * Thrown when the initial snapshot of a copied or imported document is damaged. The revision log cannot rebuild such a
 * document, because the log contains only the changes after that snapshot.
 */
export class InitialSnapshotDamaged extends Error {}

/**
 * Returns the newest intact snapshot up to version `atMost`. Damaged snapshots are skipped, because older snapshots and
 * the revision log suffice to rebuild the document. Returns undefined if there is none and the log begins with an empty
 * document. Throws if the document began with a snapshot (version 0) and no snapshot is intact.
 */
export async function readSnapshot(
  services: HostServices,
  file: string,
  atMost: number,
): Promise<{ version: number; bytes: Uint8Array } | undefined> {
  const known = await services.sheets.snapshots(file, atMost);
  for (const snapshot of known) {
    const stream = await services.blobs.get(snapshot.blobKey);
    if (!stream) continue;
    const bytes = await buffer(stream);
    if (sha256(bytes) === snapshot.sha256) return { version: snapshot.version, bytes: new Uint8Array(bytes) };
    services.log.warn(
      { file, version: snapshot.version, blob: snapshot.blobKey },
      'a snapshot is damaged; using an older one',
    );
  }
  if (known.some((one) => one.version === 0))
    throw new InitialSnapshotDamaged(`the snapshot that document ${file} begins with is damaged or missing`);
  return undefined;
}

export async function readRevisionPage(services: HostServices, file: string, after: number): Promise<LoggedRevision[]> {
  const revisions = await services.sheets.revisions(file, after, revisionPageSize);
  return revisions.map(({ version, at, seed, mutations }) => ({ version, at, seed, mutations }));
}

/**
 * Returns the next revisions after `version`, the version in memory. `mark` identifies the revision that created that
 * version. Returns undefined if the database does not contain this revision, because the database was restored to an
 * earlier state.
 */
export async function readRevisionsAfter(
  services: HostServices,
  file: string,
  version: number,
  mark: RevisionId | undefined,
): Promise<LoggedRevision[] | undefined> {
  if (!mark) return readRevisionPage(services, file, version);
  const [held, ...rest] = await readRevisionPage(services, file, version - 1);
  return held?.version === version && held.at === mark.at && held.seed === mark.seed ? rest : undefined;
}

interface LoadedDocument {
  readonly version: number;
  readonly mark: RevisionId | undefined;
  readonly snapshotVersion: number;
  readonly cells: number;
  readonly ms: number;
}

/**
 * Opens a document in a thread of the kind `lane`. Opening can take long, so it is split into several requests, between
 * which the thread serves other documents. If replaying the revisions is slow, the document moves to a thread for slow
 * documents.
 */
export async function loadDocument(
  services: HostServices,
  threads: DocumentThreadPool,
  file: string,
  lane: Lane,
): Promise<LoadedDocument> {
  const snapshot = await readSnapshot(services, file, Number.MAX_SAFE_INTEGER);
  const from = snapshot?.version ?? 0;
  let page = await readRevisionPage(services, file, Math.max(0, from - 1));
  let mark: RevisionId | undefined;
  if (page[0]?.version === from) mark = page.shift();
  const open = async (wanted: Lane): Promise<WorkerAnswer<'open'>> =>
    threads.send(
      { do: 'open', file, snapshot: snapshot?.bytes, version: from, revisions: page.slice(0, revisionsPerRequest) },
      { workMs: openTimeoutMs, lane: wanted },
    );
  let state = await open(lane);
  let { ms, replayMs } = state;
  for (;;) {
    if (replayMs > maxQuickReplayMs && threads.laneOf(file) !== 'slow') {
      threads.moveToSlowLane(file);
      page = await readRevisionPage(services, file, from);
      state = await open('slow');
      ({ ms, replayMs } = state);
    }
    mark = page.find((revision) => revision.version === state.version) ?? mark;
    let rest = page.filter((revision) => revision.version > state.version);
    if (rest.length === 0) {
      if (page.length < revisionPageSize - 1) break;
      page = await readRevisionPage(services, file, state.version);
      rest = page;
      if (rest.length === 0) break;
    }
    state = await threads.send(
      { do: 'apply', file, revisions: rest.slice(0, revisionsPerRequest) },
      { workMs: openTimeoutMs },
    );
    ms += state.ms;
    replayMs += state.replayMs;
  }
  return { version: state.version, mark, cells: state.cells, ms, snapshotVersion: from };
}
