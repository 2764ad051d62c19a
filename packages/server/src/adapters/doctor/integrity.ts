import { finished } from 'node:stream/promises';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { Database } from '../sql/database.ts';
import { failure, ok, errorReason, warning, type Finding } from './finding.ts';

interface Rule {
  readonly broken: string;
  readonly advice: string;
  /** Query for up to ten ids that violate the rule. */
  readonly sql: string;
}

const restore =
  'Restore the newest backup beside this installation and copy them over; please report it, with the log.';

/** Invariants between tables that must hold even after a crash. */
const rules: readonly Rule[] = [
  {
    broken: 'notes without their newest text',
    advice: restore,
    sql: `SELECT n.id FROM note n WHERE NOT EXISTS (
      SELECT 1 FROM note_version v WHERE v.note_id = n.id AND v.version = n.version) ORDER BY n.id LIMIT 10`,
  },
  {
    broken: 'notes whose newest version that is whole is missing',
    advice: restore,
    sql: `SELECT n.id FROM note n WHERE NOT EXISTS (
      SELECT 1 FROM note_version v WHERE v.note_id = n.id AND v.version = n.whole_version AND v.is_whole = 1)
      ORDER BY n.id LIMIT 10`,
  },
  {
    broken: 'spreadsheets whose log has a gap or ends before their version',
    advice: restore,
    sql: `SELECT d.id FROM document d LEFT JOIN (
        SELECT document_id, COUNT(*) AS revisions, MIN(version) AS lowest, MAX(version) AS highest FROM revision GROUP BY document_id
      ) r ON r.document_id = d.id
      WHERE d.version > 0 AND (r.revisions IS NULL OR r.highest <> d.version OR r.revisions <> r.highest - r.lowest + 1 OR r.lowest <> 1)
      ORDER BY d.id LIMIT 10`,
  },
  {
    broken: 'spreadsheets with a log that begins nowhere: neither a first revision nor a snapshot',
    advice: restore,
    sql: `SELECT d.id FROM document d WHERE d.version = 0 AND NOT EXISTS (
      SELECT 1 FROM document_snapshot s WHERE s.document_id = d.id) ORDER BY d.id LIMIT 10`,
  },
  {
    broken: 'spreadsheets with a snapshot of a version that they have not got',
    advice:
      'The database was put back under a node that held more, of an older release. These snapshots are not used, and the ' +
      'next edit of a spreadsheet deletes its own; look whether what people wrote last is missing.',
    sql: `SELECT DISTINCT d.id FROM document d JOIN document_snapshot s ON s.document_id = d.id
      WHERE s.version > d.version ORDER BY d.id LIMIT 10`,
  },
  {
    broken: 'items of knowledge bases that are gone',
    advice: 'They take space and show nowhere; please report it, with the log.',
    sql: `SELECT i.id FROM wiki_item i WHERE NOT EXISTS (SELECT 1 FROM wiki_base b WHERE b.id = i.base_id) ORDER BY i.id LIMIT 10`,
  },
  {
    broken: 'keys of users that are gone',
    advice: 'They let nobody in; please report it, with the log.',
    sql: `SELECT k.id FROM api_key k WHERE NOT EXISTS (SELECT 1 FROM user_account u WHERE u.id = k.user_id) ORDER BY k.id LIMIT 10`,
  },
];

export async function checkInvariants(database: Database): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { broken, advice, sql } of rules) {
    const found = await database.snapshot((view) => view.all<{ id: string }>(sql));
    if (found.length === 0) continue;
    const count = found.length === 10 ? '10 or more' : String(found.length);
    findings.push(failure('integrity', `${count} ${broken}: ${found.map(({ id }) => id).join(', ')}`, advice));
  }
  return findings.length > 0 ? findings : [ok('integrity', 'notes, spreadsheets, knowledge bases and keys are whole')];
}

interface ReferencedBlob {
  key: string;
  size: number;
  what: string;
}

/** Selects the key and size of each blob to which a row of the database refers, with a description of the row. */
const namedObjects = `SELECT cos_key AS key, file_size AS size, 'item ' || id AS what, created_at AS at FROM wiki_item WHERE cos_key <> '' AND is_file = 1
  UNION ALL SELECT s.blob_key, s.size, 'snapshot of ' || s.document_id, d.modified_at FROM document_snapshot s
    JOIN document d ON d.id = s.document_id
  UNION ALL SELECT blob_key, size, 'picture ' || id, created_at FROM sheet_image`;
const newestObjects = `SELECT key, size, what FROM (${namedObjects}) AS named ORDER BY at DESC, key LIMIT 500`;
const everyObject = `SELECT key, size, what FROM (${namedObjects}) AS named ORDER BY key`;
const atOnce = 8;

/**
 * Checks that the blob store has the blobs to which rows of the database refer, with the right size. Without `isFull`,
 * checks only the newest blobs. With `isFull`, checks all blobs and reads each to its end.
 */
export async function checkBlobs(database: Database, blobs: BlobStore, isFull: boolean): Promise<Finding[]> {
  const named = await database.snapshot((view) => view.all<ReferencedBlob>(isFull ? everyObject : newestObjects));
  const faults: string[] = [];
  let next = 0;
  const look = async (): Promise<void> => {
    for (let index = next++; index < named.length; index = next++) {
      const fault = await faultOf(blobs, named[index]!, isFull);
      if (fault !== undefined) faults.push(fault);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, look));
  const scope = isFull
    ? `all ${named.length} stored files, read to the end`
    : `the newest ${named.length} stored files`;
  if (faults.length === 0) return [ok('files', `${scope}, are there`)];
  return [
    failure(
      'files',
      `${faults.length} of ${scope}: ${faults.sort().slice(0, 10).join('; ')}`,
      'Restore these objects from a backup of the store, under the same keys; nothing else needs to change.',
    ),
  ];
}

async function faultOf(
  blobs: BlobStore,
  { key, size, what }: ReferencedBlob,
  isFull: boolean,
): Promise<string | undefined> {
  try {
    const found = await blobs.head(key);
    if (!found) return `${key} (${what}) is missing`;
    if (found.size !== size) return `${key} (${what}) has ${found.size} bytes instead of ${size}`;
    if (!isFull) return undefined;
    const stream = await blobs.get(key);
    if (!stream) return `${key} (${what}) is missing`;
    stream.resume();
    await finished(stream);
    return undefined;
  } catch (error) {
    return `${key} (${what}): ${errorReason(error)}`;
  }
}

const longWaitMs = 600_000;
const deepOutbox = 1000;

/** Warns if a queued job waits too long, or if too many changes wait for the search index. */
export async function checkBacklog(database: Database, now: number): Promise<Finding> {
  const jobs = await database.get<{ oldest: number | null; n: number }>(
    "SELECT MIN(run_at) AS oldest, COUNT(*) AS n FROM job WHERE state = 'queued'",
  );
  const outbox = await database.get<{ n: number }>('SELECT COUNT(*) AS n FROM search_outbox');
  const waits = jobs?.oldest == null ? 0 : Math.max(0, now - jobs.oldest);
  const says = `${jobs?.n ?? 0} jobs wait, the oldest for ${Math.round(waits / 1000)} s; ${outbox?.n ?? 0} changes are not in the search index yet`;
  return waits > longWaitMs || (outbox?.n ?? 0) > deepOutbox
    ? warning('work', says, 'Start a server if none runs; if one does, its log says what holds it up.')
    : ok('work', says);
}
