import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { checkInvariants } from '../../src/adapters/doctor/integrity.ts';
import type { Database } from '../../src/adapters/sql/database.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/database.ts';
import { openSqlite } from '../../src/adapters/sql/sqlite/database.ts';
import { newSheet, sheetOf, type Sheet } from '../spec/sheet/support.ts';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { startServer, type ModuleCall, type TestServer } from '@sheaf/tools/testing/test-server.ts';

/** The document as it was at an earlier version, as a restored database has it. */
async function putBack(database: Database, id: string, version: number): Promise<void> {
  await database.write(null, async (tx) => {
    await tx.execute('DELETE FROM revision WHERE document_id = ? AND version > ?', id, version);
    await tx.execute('DELETE FROM document_snapshot WHERE document_id = ? AND version > ?', id, version);
    await tx.execute('UPDATE document SET version = ? WHERE id = ?', version, id);
  });
}

const callsOf =
  (server: TestServer): ModuleCall =>
  (tool, input, as) =>
    server.call('http', 'sheet', tool, input, as);

describe.each(['sqlite', 'postgres'] as const)('a document that the database has put back, on %s', (kind) => {
  let server: TestServer;
  let elsewhere: Database;
  beforeAll(async () => {
    const databaseUrl = kind === 'postgres' ? await freshPostgres() : undefined;
    server = await startServer({ database: kind, ...(databaseUrl ? { databaseUrl } : {}) });
    elsewhere = databaseUrl
      ? await openPostgres(databaseUrl, { connections: 2 })
      : await openSqlite(join(server.folder, 'sheaf.db'));
    return async () => {
      await server.close();
      await elsewhere.close();
    };
  });
  /** At version 5: the first is the sub-sheet's. */
  const edited = async (): Promise<Sheet> => {
    const sheet = await newSheet(callsOf(server), server);
    for (const row of [1, 2, 3, 4]) await sheet.put(`A${row}`, `${row}\n`);
    return sheet;
  };

  test('[finding Q12] is read as the database has it, and takes edits', async () => {
    const sheet = await edited();
    await putBack(elsewhere, sheet.file_id, 3);
    expect(await sheet.csv('A1:A4')).toBe('1\n2\n');
    await sheet.put('A3', 'new\n');
    expect(await sheet.csv('A1:A4')).toBe('1\n2\nnew\n');
    expect(await server.app.services.sheets.version(sheet.file_id)).toBe(4);
    expect(await sheet.ok('validate_file_data')).toMatchObject({ is_valid: true, checked_version: 4 });
  });

  test('[finding Q12] takes an edit before anybody has read it', async () => {
    const sheet = await edited();
    await putBack(elsewhere, sheet.file_id, 3);
    await sheet.put('A3', 'new\n');
    expect(await sheet.csv('A1:A4')).toBe('1\n2\nnew\n');
    expect(await server.app.services.sheets.version(sheet.file_id)).toBe(4);
  });

  test('[finding Q12] that was made after the moment it went back to is gone', async () => {
    const sheet = await edited();
    await putBack(elsewhere, sheet.file_id, 0);
    await elsewhere.write(null, (tx) => tx.execute('DELETE FROM document WHERE id = ?', sheet.file_id));
    const answers = [await sheet.call('set_cell_value', cell('late')), await sheet.call('get_sheet_info')];
    expect(answers.map(({ msg }) => msg)).toEqual([
      expect.stringContaining('there is no document'),
      expect.stringContaining('there is no document'),
    ]);
  });

  test('[finding Q12] with a snapshot above its version is served without it, and validate_file_data names it', async () => {
    const sheet = await edited();
    await elsewhere.write(null, (tx) =>
      tx.execute(
        'INSERT INTO document_snapshot (document_id, version, blob_key, size, sha256) VALUES (?, ?, ?, ?, ?)',
        sheet.file_id,
        13,
        'sheets/none/13',
        10,
        'x',
      ),
    );
    expect(await sheet.ok('validate_file_data')).toEqual({
      is_valid: false,
      checked_version: 5,
      ret_code: 1,
      stage: 'RebuildWorkbook.workbook_cmds',
      failed_mutation_type: 0,
      err_msg:
        "there is a snapshot of version 13, but the document's latest version is 5; it is not used, and the next edit deletes it",
    });
    expect(await sheet.csv('A1:A4')).toBe('1\n2\n3\n4\n');
    expect(await checkInvariants(elsewhere)).toMatchObject([
      {
        check: 'integrity',
        state: 'failure',
        says: `1 spreadsheets with a snapshot of a version that they have not got: ${sheet.file_id}`,
      },
    ]);
    await sheet.put('A5', '5\n');
    expect(await sheet.ok('validate_file_data')).toMatchObject({ is_valid: true, checked_version: 6 });
  });
});

const cell = (text: string) => ({ cell: { row: 0, col: 0, value_type: 'STRING', string_value: text } });

test('[finding Q12] a node that held a lost revision neither reads nor follows another one of the same number', async () => {
  const databaseUrl = await freshPostgres();
  const one = await startServer({ database: 'postgres', databaseUrl });
  const two = await startServer({ database: 'postgres', databaseUrl });
  const elsewhere = await openPostgres(databaseUrl, { connections: 2 });
  onTestFinished(async () => {
    await one.close();
    await two.close();
    await elsewhere.close();
  });
  const viaTwo: ModuleCall = (tool, input) => two.call('http', 'sheet', tool, input, one.owner);
  for (const past of [0, 3]) {
    const sheet = await newSheet(callsOf(one), one);
    for (const row of [1, 2, 3, 4]) await sheet.put(`A${row}`, `lost ${row}\n`);
    await putBack(elsewhere, sheet.file_id, 3);
    const other = sheetOf(viaTwo, sheet.file_id, sheet.sheet_id);
    for (let row = 0; row < 2 + past; row++) await other.put(`B${row + 1}`, `kept ${row + 1}\n`);
    if (past === 0) await sheet.put('A3', 'next\n');
    const rest = past === 0 ? 'next,\n' : ',kept 3\n,kept 4\n';
    expect(await sheet.csv('A1:B4')).toBe(`lost 1,kept 1\nlost 2,kept 2\n${rest}`);
    expect(await other.csv('A1:B4')).toBe(await sheet.csv('A1:B4'));
    expect(await sheet.ok('validate_file_data')).toMatchObject({ is_valid: true });
  }
});

test('[finding Q12] a node whose lease the database does not know as it was forgets callers, and tells listeners', async () => {
  const databaseUrl = await freshPostgres();
  const server = await startServer({ database: 'postgres', databaseUrl });
  const elsewhere = await openPostgres(databaseUrl, { connections: 2 });
  onTestFinished(async () => {
    await server.close();
    await elsewhere.close();
  });
  const sheet = await newSheet(callsOf(server), server);
  const lost = await server.newUser();
  const listed = () => server.call('http', 'manage', 'list_files', { cursor: '', limit: 1 }, lost);
  const control = new AbortController();
  onTestFinished(() => control.abort());
  const response = await fetch(`${server.url}/openapi/sheet/v1/events?file_id=${sheet.file_id}`, {
    headers: { authorization: server.owner.apiKey },
    signal: control.signal,
  });
  let heard = '';
  const reading = (async () => {
    for await (const chunk of response.body!) heard += new TextDecoder().decode(chunk);
  })().catch(() => undefined);
  expect(await listed()).toMatchObject({ code: 0 });
  const before = server.app.database.incarnation.number;
  // As a restore in place leaves it: the key was never made, and the lease is an earlier one.
  await elsewhere.write(null, async (tx) => {
    await tx.execute('DELETE FROM api_key WHERE user_id = ?', lost.userId);
    await tx.execute('UPDATE cluster_node SET lease_until = lease_until - 60000');
  });
  await expect.poll(() => server.app.database.incarnation.number, { timeout: 20_000 }).toBe(before + 1);
  expect((await listed()).code).not.toBe(0);
  await expect.poll(() => heard, { timeout: 30_000 }).toContain('data: {"version":1,"reset":true}');
  control.abort();
  await reading;
});
