/**
 * Data folders that 0.1.0 filled, opened with today's code: the same values, valid at every version, every way back still
 * there. The fixtures are made by `node tools/old-data.mjs` with the checkout of that release (see make.ts).
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SheetDocument, edit, type Mutation, loadSnapshot, encodeSnapshot } from '@sheaf/engine';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { unpacked, type EngineLog } from './engine-log.ts';
import { undoEach, type Recorded, type RecordedDocument } from './make.ts';
import { callerOf, must, observeDocument, observeLibrary, type Caller } from './observe.ts';
import { fixtures, unpackOldData } from './unpack.ts';

const patience = { timeout: 300_000 };

for (const database of ['sqlite', 'postgres'] as const) {
  describe(`data of 0.1.0 on ${database}`, () => {
    let server: TestServer;
    let call: Caller;
    let recorded: Recorded;
    const titled = (title: string): RecordedDocument => recorded.documents.find((one) => one.title === title)!;

    beforeAll(async () => {
      const old = await unpackOldData(database);
      recorded = old.recorded;
      server = await startServer(old.options);
      call = callerOf(server.url, old.credentials.client_id, old.credentials.api_key);
    }, 120_000);
    afterAll(() => server?.close());

    test('the fixture has snapshots with a log behind them, and logs alone', async () => {
      const kept = async (title: string): Promise<number> =>
        (await server.app.services.sheets.snapshots(titled(title).file_id, Number.MAX_SAFE_INTEGER)).length;
      expect([await kept('everything'), await kept('long'), await kept('moves'), await kept('circular')]).toEqual([
        1, 3, 0, 0,
      ]);
      expect([titled('everything').version, titled('long').version]).toEqual([76, 330]);
      expect(titled('everything').undone.filter(({ code }) => code === 0).length).toBe(3);
    });

    test('notes and knowledge are as they were', patience, async () => {
      expect(await observeLibrary(call, recorded.library)).toMatchObject(recorded.libraryState as object);
    });

    for (const title of ['everything', 'moves', 'long', 'volatile', 'imported'] as const) {
      test(`${title}: the newest version says what it said`, patience, async () => {
        const { file_id, version, states } = titled(title);
        expect(await observeDocument(call, file_id)).toMatchObject(states[version] as object);
      });
    }

    test(
      '[finding T1] circular: formulas that only seemed to be are computed anew, the others stay',
      patience,
      async () => {
        const { file_id } = titled('circular');
        const [{ sheet_id }] = (await must(call, 'sheet', 'get_sheet_info', { file_id })).sheets;
        const { csv_data } = await must(call, 'sheet', 'get_cell_data', {
          file_id,
          sheet_id,
          start_row: 1,
          start_col: 0,
          end_row: 8,
          end_col: 1,
          return_csv: true,
        });
        expect(csv_data).toBe('2,20\n1,10\n1,10\n#CIRC!,#CIRC!\nTRUE,\n1,\n7,\n8,\n');
      },
    );

    for (const title of ['everything', 'moves', 'circular', 'long', 'volatile', 'imported'] as const) {
      test(`${title}: valid at every version looked at`, patience, async () => {
        const { file_id, states } = titled(title);
        for (const version of Object.keys(states).map(Number).toReversed()) {
          const answer = await must(call, 'sheet', 'validate_file_data', { file_id, version });
          expect(answer).toEqual({
            is_valid: true,
            checked_version: version,
            ret_code: 0,
            stage: '',
            failed_mutation_type: 0,
            err_msg: '',
          });
        }
      });
    }

    for (const title of ['everything', 'moves', 'long', 'imported'] as const) {
      test(`${title}: every revision that could be taken back still can`, patience, async () => {
        const document = titled(title);
        const undone = await undoEach(call, document);
        for (const [index, before] of document.undone.entries()) {
          if (before.code === 0) expect(undone[index], `revision ${before.version}`).toMatchObject(before);
        }
      });

      test(`${title}: going back to every version looked at gives what it said then`, patience, async () => {
        const { file_id, states } = titled(title);
        for (const [version, state] of Object.entries(states).toReversed()) {
          await must(call, 'sheet', 'revert', { file_id, version: Number(version) });
          expect(await observeDocument(call, file_id), `version ${version}`).toMatchObject(state as object);
        }
        expect(await must(call, 'sheet', 'validate_file_data', { file_id })).toMatchObject({ is_valid: true });
      });
    }
  });
}

describe('mutations of 0.1.0 in the engine', async () => {
  const log = unpacked<EngineLog>(gunzipSync(await readFile(join(fixtures, 'engine.json.gz'))));
  const begun = (): SheetDocument => {
    const document = new SheetDocument();
    edit(document, log.base as Mutation[]);
    return document;
  };
  const bytesOf = (document: SheetDocument): string => Buffer.from(encodeSnapshot(document)).toString('base64');

  for (const [index, { name, mutation, inverse, after }] of log.cases.entries()) {
    test(`${index} ${name} does what it did, and its stored inverse undoes it`, () => {
      const document = begun();
      const before = bytesOf(document);
      edit(document, [mutation as Mutation]);
      // The stored snapshot is opened by today's engine, so both are of one format.
      expect(bytesOf(document)).toBe(bytesOf(loadSnapshot(Buffer.from(after, 'base64'))));
      edit(document, inverse as Mutation[]);
      expect(bytesOf(document)).toBe(before);
    });
  }
});
