import { expect, test } from 'vitest';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { startServer, type Key, type TestServer } from '@sheaf/tools/testing/test-server.ts';

/** 10,000 for a drill: SHEAF_AGENTS=10000. */
const calls = Number(process.env['SHEAF_AGENTS'] ?? 400);

interface Acknowledged {
  version: number;
  tool: string;
  userId: string;
}

/** A small generator with a seed, so that a failure can be repeated. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Some edit of the first 40 rows and 6 columns. */
function someEdit(random: (below: number) => number, who: number, turn: number): [string, Record<string, unknown>] {
  const row = random(40);
  const col = random(6);
  switch (random(10)) {
    case 0:
      return ['insert_dimension', { dimension_type: random(2) ? 'row' : 'col', index: random(5), count: 1 }];
    case 1:
      return ['delete_dimension', { dimension_type: random(2) ? 'row' : 'col', index: random(5), count: 1 }];
    case 2:
      return ['move_dimension', { dimension_type: 'row', index: row, count: 1 + random(3), to: random(2) ? 0 : 60 }];
    case 3:
      return [
        'sort_range',
        { start_row: 0, start_col: 0, end_row: 39, end_col: 5, columns: [{ col, order: random(2) }] },
      ];
    case 4:
      return [
        'set_cell_value',
        { cell: { row, col, value_type: 'FORMULA', formula: `=SUM(A${1 + random(20)}:C${21 + random(20)})+${who}` } },
      ];
    case 5:
      return [
        'insert_range',
        { start_row: row, start_col: col, end_row: row + 1, end_col: col, dimension_type: random(2) ? 'row' : 'col' },
      ];
    case 6:
      return [
        'delete_range',
        { start_row: row, start_col: col, end_row: row, end_col: col + 1, dimension_type: random(2) ? 'row' : 'col' },
      ];
    default:
      return [
        'set_range_value_by_csv',
        { start_row: row, start_col: col, csv_data: `${turn},agent ${who}\n${random(1000)},x\n` },
      ];
  }
}

test(
  `[S140][T59] two agents on two nodes, ${calls} interleaved edits of one document: nothing acknowledged is lost, both serve the same`,
  { timeout: 60_000 + calls * 200 },
  async () => {
    const databaseUrl = await freshPostgres();
    const first = await startServer({ database: 'postgres', databaseUrl });
    const second = await startServer({ database: 'postgres', databaseUrl, folder: first.folder });
    try {
      const other = await first.newUser();
      const made = await first.call('http', 'manage', 'create_file', { title: 'Shared' });
      const { file_id, sheet_id } = made.data as { file_id: string; sheet_id: string };
      await first.call('http', 'manage', 'share_file', { file_id, user_id: other.userId, role: 'editor' });

      const agent = async (node: TestServer, key: Key, who: number): Promise<Acknowledged[]> => {
        const random = chance(who * 7919);
        const acknowledged: Acknowledged[] = [];
        for (let turn = 0; turn < calls / 2; turn++) {
          const [tool, input] = someEdit(random, who, turn);
          const response = await fetch(`${node.url}/openapi/sheet/v1/${tool}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', authorization: `Bearer ${key.apiKey}` },
            body: JSON.stringify({ file_id, sheet_id, ...input }),
          });
          const { code, msg } = (await response.json()) as { code: number; msg: string };
          // A call may be refused because of what the other one did, never fail.
          expect([0, 310001, 310008], `${tool}: ${msg}`).toContain(code);
          const version = response.headers.get('x-sheaf-version');
          if (version !== null) acknowledged.push({ version: Number(version), tool, userId: key.userId });
        }
        return acknowledged;
      };
      const acknowledged = (await Promise.all([agent(first, first.owner, 1), agent(second, other, 2)])).flat();
      expect(acknowledged.length).toBeGreaterThan(calls / 2);

      const log = await first.app.database.all<{ version: number; tool: string; user_id: string }>(
        'SELECT version, tool, user_id FROM revision WHERE document_id = ? AND version > 1 ORDER BY version',
        file_id,
      );
      expect(
        log.map(({ version, tool, user_id: userId }) => ({ version, tool: tool.split(' ', 1)[0], userId })),
      ).toEqual(acknowledged.sort((a, b) => a.version - b.version));
      expect(log.map((one) => one.version)).toEqual(Array.from({ length: log.length }, (_, index) => index + 2));

      const served = async (node: TestServer): Promise<unknown> => {
        const read = async (tool: string, input: Record<string, unknown>) =>
          (await node.call('http', 'sheet', tool, { file_id, ...input }, first.owner)).data;
        const whole = { sheet_id, start_row: 0, start_col: 0, end_row: 199, end_col: 49 };
        return [
          await read('get_cell_data', whole),
          await read('get_cell_style', { ...whole, end_col: 9 }),
          await read('get_sheet_info', {}),
          await read('get_used_range', { sheet_id }),
        ];
      };
      expect(await served(second)).toEqual(await served(first));
      for (const node of [first, second]) {
        expect((await node.call('http', 'sheet', 'validate_file_data', { file_id }, first.owner)).data).toEqual({
          is_valid: true,
          checked_version: log.length + 1,
          ret_code: 0,
          stage: '',
          failed_mutation_type: 0,
          err_msg: '',
        });
      }

      // Back to the beginning and forth again: undoing everything by the log gives what was there.
      const now = await served(first);
      expect(await first.call('http', 'sheet', 'revert', { file_id, version: 1 })).toMatchObject({ code: 0 });
      expect((await second.call('http', 'sheet', 'get_used_range', { file_id, sheet_id }, first.owner)).data).toEqual({
        is_empty: true,
        range: '',
      });
      expect(
        await second.call('http', 'sheet', 'revert', { file_id, version: log.length + 1 }, first.owner),
      ).toMatchObject({ code: 0 });
      expect(await served(first)).toEqual(now);
    } finally {
      await second.close();
      await first.close();
    }
  },
);
