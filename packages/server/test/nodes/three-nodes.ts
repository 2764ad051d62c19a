/** Three nodes in this process on one database, and one spreadsheet that is called through all of them. */
import { call, type CallOptions, type RawAnswer } from '@sheaf/client';
import { expect } from 'vitest';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import type { Key } from '@sheaf/tools/testing/call-client.ts';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';

export async function threeNodes(): Promise<TestServer[]> {
  const databaseUrl = await freshPostgres();
  const first = await startServer({ database: 'postgres', databaseUrl });
  const nodes = [first];
  for (let more = 0; more < 2; more++) {
    const node = await startServer({ database: 'postgres', databaseUrl });
    nodes.push({ ...node, owner: first.owner, call: (s, m, o, i, as = first.owner) => node.call(s, m, o, i, as) });
  }
  return nodes;
}

export interface SharedSheet {
  readonly file_id: string;
  readonly sheet_id: string;
}

export async function newSheet(node: TestServer, guest?: Key): Promise<SharedSheet> {
  const { data } = await node.call('http', 'manage', 'create_file', { title: 'Shared' });
  const { file_id, sheet_id } = data as SharedSheet;
  if (guest) await share(node, file_id, guest, 'editor');
  return { file_id, sheet_id };
}

export async function share(node: TestServer, file_id: string, guest: Key, role: string): Promise<void> {
  const { code } = await node.call('http', 'manage', 'share_file', { file_id, user_id: guest.userId, role });
  expect(code).toBe(0);
}

export function ask(
  { url }: Pick<TestServer, 'url'>,
  as: Key,
  operation: string,
  input: object,
  options: CallOptions = {},
): Promise<RawAnswer> {
  return call({ url, clientId: as.clientId, apiKey: as.apiKey }, 'sheet', operation, input, options);
}

export function append(
  node: Pick<TestServer, 'url'>,
  as: Key,
  { file_id, sheet_id }: SharedSheet,
  text: string,
  { more = {}, ...options }: CallOptions & { more?: object } = {},
): Promise<RawAnswer> {
  return ask(node, as, 'append_rows', { file_id, sheet_id, rows: [[text]], ...more }, options);
}

/** Returns the texts of the first column, as a node reads them. */
export async function texts(
  node: Pick<TestServer, 'url'>,
  as: Key,
  { file_id, sheet_id }: SharedSheet,
): Promise<string[]> {
  const range = { start_row: 0, start_col: 0, end_row: 4999, end_col: 0 };
  const { code, msg, data } = await ask(node, as, 'get_cell_data', { file_id, sheet_id, ...range, return_csv: true });
  expect([code, msg]).toEqual([0, 'success']);
  return (data as { csv_data: string }).csv_data.split(/\r?\n/).filter((line) => line !== '');
}

export interface Lease {
  node: string;
  address: string;
  token: number;
}

export function leaseOf({ app }: TestServer, { file_id }: SharedSheet): Promise<Lease | undefined> {
  return app.database.get<Lease>(
    'SELECT node, address, token FROM document_lease WHERE resource = ? AND expires_at > 0',
    `sheet:${file_id}`,
  );
}

/** Edits through all nodes at once until one of them holds the document. Returns the texts that were appended. */
export async function contend(nodes: readonly TestServer[], as: Key, sheet: SharedSheet): Promise<string[]> {
  const made: string[] = [];
  for (let round = 0; !(await leaseOf(nodes[0]!, sheet)); round++) {
    expect(round).toBeLessThan(100);
    const lines = nodes.flatMap((node, index) => [0, 1].map((n) => ({ node, text: `contend ${round} ${index} ${n}` })));
    const answers = await Promise.all(lines.map(({ node, text }) => append(node, as, sheet, text)));
    expect(answers.map(({ code }) => code)).toEqual(lines.map(() => 0));
    made.push(...lines.map(({ text }) => text));
  }
  return made;
}
