import type { RevisionId } from '../../../ports/sheet-store.ts';
import { BulkInsert } from '../bulk-insert.ts';
import { unchanged, type BatchStep } from '../database.ts';
import { raw, sql } from '../statement.ts';
import { usageColumns, type DocumentUsage } from './document-accounting.ts';

/** New revisions (changes) of one document (spreadsheet) that are appended to its log. */
export interface DocumentAdvance {
  readonly id: string;
  /** Version of the document before the appended revisions. */
  readonly base: number;
  /** Version of the document after these revisions. `at` is the time of the last of them. */
  readonly version: number;
  readonly at: number;
  /** Size in bytes of all appended revisions together. */
  readonly added: number;
  /**
   * The revision that must be the document's newest one before these revisions are appended. Undefined if only the
   * document's version is compared with `base`. The version alone may not suffice: after a restore from backup, another
   * revision can have the same version.
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
 * Sets each document (spreadsheet) to its new version if it is still at the expected version `base` and, if `follows`
 * is given, at that revision. Otherwise the output for the document is `unchanged`. Edits of many documents that are
 * committed together share one statement.
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
