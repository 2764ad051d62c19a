import { crc32 } from '@sheaf/files/zip/crc32';
import type { Param } from './database.ts';

/**
 * Returns the checksum of a note version's stored bytes. It is computed over the compressed bytes, so that a check need
 * not decompress them.
 */
export function versionChecksum({ body }: { readonly body: Uint8Array }): number {
  return crc32(body);
}

/**
 * Returns the checksum of a spreadsheet revision. It is computed over the revision's changes followed by the changes
 * that undo them (`inverse`).
 */
export function revisionChecksum({
  mutations,
  inverse,
}: {
  readonly mutations: string;
  readonly inverse: string;
}): number {
  return crc32(Buffer.from(inverse), crc32(Buffer.from(mutations)));
}

type StoredRow = Readonly<Record<string, Param>>;

interface ChecksummedTable {
  readonly name: string;
  /** Columns of the primary key: the id of the note or spreadsheet, then the version. */
  readonly key: readonly [id: string, version: string];
  readonly columns: readonly string[];
  compute(row: StoredRow): number;
}

export const checksummedTables: readonly ChecksummedTable[] = [
  {
    name: 'note_version',
    key: ['note_id', 'version'],
    columns: ['body'],
    compute: (row) => versionChecksum(row as { body: Uint8Array }),
  },
  {
    name: 'revision',
    key: ['document_id', 'version'],
    columns: ['mutations', 'inverse'],
    compute: (row) => revisionChecksum(row as { mutations: string; inverse: string }),
  },
];

const maxNamed = 10;

/** Compares stored rows with their checksums, counts the damaged rows and collects the names of the first ones. */
export class ChecksumCheck {
  /** Number of rows whose checksum was compared. */
  compared = 0;
  /** Number of rows that an earlier release wrote without a checksum. */
  unknown = 0;
  damaged = 0;
  readonly #named: string[] = [];

  add(table: string, rows: readonly StoredRow[]): void {
    const found = checksummedTables.find(({ name }) => name === table);
    if (found) for (const row of rows) this.#addRow(found, row);
  }

  #addRow({ key: [id, version], compute }: ChecksummedTable, row: StoredRow): void {
    if (row['checksum'] == null) {
      this.unknown += 1;
      return;
    }
    this.compared += 1;
    if (compute(row) === Number(row['checksum'])) return;
    this.damaged += 1;
    if (this.#named.length < maxNamed) this.#named.push(`${row[id]} version ${row[version]}`);
  }

  /** Names of the damaged rows as text. Only the first rows are named. Empty if no row is damaged. */
  get names(): string {
    const more = this.damaged - this.#named.length;
    return this.#named.join(', ') + (more > 0 ? `, and ${more} more` : '');
  }
}
