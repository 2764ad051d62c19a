import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { ChecksumCheck, checksummedTables } from '../sql/checksums.ts';
import type { Database, Param } from '../sql/database.ts';
import { failure, ok, type Finding } from './finding.ts';

/** Maximum number of bytes of the texts that are read at once, to limit memory use. A longer text is read alone. */
const targetBytes = 4 * 2 ** 20;
const maxPageSize = 1000;

/** Compares every version of every note, and every revision of every spreadsheet, with its checksum. */
export async function checkChecksums(database: Database): Promise<Finding> {
  const check = new ChecksumCheck();
  for (const table of checksummedTables) {
    const key = table.key.join(', ');
    const columns = [...table.key, ...table.columns, 'checksum'].join(', ');
    const lengths = table.columns.map((column) => `length(${column})`).join(' + ');
    let after: readonly Param[] = ['', 0];
    for (;;) {
      const where = `FROM ${table.name} WHERE (${key}) > (?, ?) ORDER BY ${key}`;
      // Query the lengths first, to choose how many texts can be read at once. One text can be as long as thousands of
      // others.
      const next = await database.all<{ bytes: number }>(
        `SELECT ${lengths} AS bytes ${where} LIMIT ?`,
        ...after,
        maxPageSize,
      );
      const rows = await database.all<Record<string, Param>>(
        `SELECT ${columns} ${where} LIMIT ?`,
        ...after,
        rowsWithin(next.map(({ bytes }) => Number(bytes))),
      );
      const last = rows.at(-1);
      if (!last) break;
      check.add(table.name, rows);
      after = table.key.map((name) => last[name]!);
      await yieldToEventLoop();
    }
  }
  const older = check.unknown > 0 ? `; ${check.unknown} of earlier releases have no checksum` : '';
  const says = `${check.compared} versions of notes and spreadsheets`;
  if (check.damaged === 0) return ok('texts', `${says} are as they were written${older}`);
  return failure(
    'texts',
    `${check.damaged} of ${says} are not as they were written: ${check.names}${older}`,
    'Restore the newest backup beside this installation and copy these notes and spreadsheets over; look at the disk.',
  );
}

/**
 * Returns the number of rows to read at once, given their sizes: as many as fit into `targetBytes`, but at least one.
 * Returns the maximum page size if all fit.
 */
function rowsWithin(bytes: readonly number[]): number {
  let sum = 0;
  const tooMany = bytes.findIndex((size) => (sum += size) > targetBytes);
  return tooMany === -1 ? maxPageSize : Math.max(1, tooMany);
}
