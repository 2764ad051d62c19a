import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call as callHttp } from '@sheaf/client';
import { killServer, startKillableServer } from '@sheaf/tools/testing/killable-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

const rounds = Number(process.env['SHEAF_DRILL_ROUNDS'] ?? 3);
const writers = 8;

test(
  `[S141][T64] kill -9 during sheet writes, ${rounds} rounds: every acknowledged row is there once, the document is valid`,
  { timeout: 60_000 + rounds * 30_000 },
  async () => {
    const folder = await temporaryFolder();
    let running = await startKillableServer(folder);
    const credentials = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as {
      client_id: string;
      api_key: string;
    };
    const call = (module: string, operation: string, input: unknown) =>
      callHttp(
        { url: running.url, clientId: credentials.client_id, apiKey: credentials.api_key },
        module,
        operation,
        input,
      );
    const { file_id, sheet_id } = (await call('manage', 'create_file', { title: 'Drill' })).data as {
      file_id: string;
      sheet_id: string;
    };
    const acknowledged: string[] = [];
    try {
      for (let round = 1; round <= rounds; round++) {
        // From few rows to many, so that the end meets opening, logs and snapshots.
        const until = acknowledged.length + 40 * (1 + (round % 6));
        let dead = false;
        const write = async (writer: number): Promise<void> => {
          for (let turn = 0; turn < 2000 && !dead; turn++) {
            const row = `${round}-${writer}-${turn}`;
            const answer = await call('sheet', 'append_rows', {
              file_id,
              sheet_id,
              rows: [[row, turn, '=B1+1']],
            }).catch(() => undefined);
            if (answer?.code !== 0) return;
            acknowledged.push(row);
            if (acknowledged.length === until) {
              dead = true;
              await killServer(running);
            }
          }
        };
        await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
        expect(acknowledged.length).toBeGreaterThanOrEqual(until);
        running = await startKillableServer(folder);
        const { data } = await call('sheet', 'get_cell_data', {
          file_id,
          sheet_id,
          start_row: 0,
          start_col: 0,
          end_row: 19_999,
          end_col: 0,
          return_csv: true,
        });
        const rows = (data as { csv_data: string }).csv_data.split('\n').filter((line) => line !== '');
        expect(new Set(rows).size).toBe(rows.length);
        expect(acknowledged.filter((row) => !rows.includes(row))).toEqual([]);
        expect(await call('sheet', 'validate_file_data', { file_id })).toMatchObject({
          code: 0,
          data: { is_valid: true },
        });
      }
    } finally {
      await killServer(running);
    }
    console.log(`kill -9 drill on sheets: ${rounds} rounds, ${acknowledged.length} acknowledged rows, none lost`);
  },
);
