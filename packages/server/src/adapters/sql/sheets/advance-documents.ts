import type { RevisionId } from '../../../ports/sheet-store.ts';
import { BulkInsert } from '../bulk-insert.ts';
import { unchanged, type BatchStep } from '../database.ts';
import { raw, sql } from '../statement.ts';
import { usageColumns, type DocumentUsage } from './document-accounting.ts';

/** New revisions that are appended to a document's log. */
export interface DocumentAdvance {
  readonly id: string;
  /** Version of the document before the appended revisions. */
  readonly base: number;
  /** Version and time of the last appended revision. */
  readonly version: number;
  readonly at: number;
  /** Size in bytes of all appended revisions together. */
  readonly added: number;
  /**
   * The newest revision before the appended ones, which the document must have in addition to the version `base`.
   * Undefined if only the version is compared.
   */
  readonly follows: RevisionId | undefined;
}

export interface AdvancedDocument extends DocumentUsage {
  newest_snapshot: number | null;
}

const newestSnapshot = `(SELECT MAX(s.version) FROM document_snapshot s WHERE s.document_id = document.id) AS newest_snapshot`;
/**
 * Subquery for the document's newest revision. Callers append conditions on the expected revision. In an UPDATE, the
 * subquery sees the document's row before the update.
 */
const isNewest = 'SELECT 1 FROM revision r WHERE r.document_id = document.id AND r.version = document.version';

const nextVersions = new BulkInsert(
  'WITH next (id, base, version, at, added, follows_at, follows_seed) AS (VALUES',
  ['TEXT', 'BIGINT', 'BIGINT', 'BIGINT', 'BIGINT', 'BIGINT', 'BIGINT'],
  `) UPDATE document SET version = next.version, modified_at = next.at, stored_bytes = stored_bytes + next.added
    FROM next WHERE document.id = next.id AND document.version = next.base AND (next.follows_seed IS NULL
    OR EXISTS (${isNewest} AND r.at = next.follows_at AND r.seed = next.follows_seed))
    RETURNING ${usageColumns.replace(/\w+/g, 'document.$&')}, ${newestSnapshot}`,
);

/**
 * Advances each document that is still at the expected version, and at the revision `follows` if that is given, to its
 * new version. Edits of many documents that are committed together share one statement.
 */
export const advanceDocuments: BatchStep<DocumentAdvance, AdvancedDocument | typeof unchanged> = async (tx, all) => {
  const [first] = all;
  if (all.length === 1 && first) {
    const { id, base, version, at, added, follows } = first;
    const expected = follows
      ? sql` AND EXISTS (${raw(isNewest)} AND r.at = ${follows.at} AND r.seed = ${follows.seed})`
      : raw('');
    const row = await tx.get<AdvancedDocument>(sql`UPDATE document SET version = ${version}, modified_at = ${at},
      stored_bytes = stored_bytes + ${added} WHERE id = ${id} AND version = ${base}${expected}
      RETURNING ${raw(usageColumns)}, ${raw(newestSnapshot)}`);
    return [row ?? unchanged];
  }
  const rows = all.map(({ id, base, version, at, added, follows }) => [
    id,
    base,
    version,
    at,
    added,
    follows?.at ?? null,
    follows?.seed ?? null,
  ]);
  const found = await Promise.all(nextVersions.statements(rows).map((update) => tx.all<AdvancedDocument>(update)));
  const advanced = new Map(found.flat().map((row) => [row.id, row]));
  return all.map(({ id }) => advanced.get(id) ?? unchanged);
};
