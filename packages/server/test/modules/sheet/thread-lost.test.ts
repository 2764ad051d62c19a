import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { FilesystemBlobStore } from '../../../src/adapters/blob/filesystem-store.ts';
import { InProcessEventBus } from '../../../src/adapters/events/in-process-bus.ts';
import { SqlAccountStore } from '../../../src/adapters/sql/account-store.ts';
import { SqlBlobAccounting } from '../../../src/adapters/sql/blob-accounting.ts';
import { migrate } from '../../../src/adapters/sql/migrate.ts';
import { SqlSheetStore } from '../../../src/adapters/sql/sheets/sheet-store.ts';
import { openSqlite } from '../../../src/adapters/sql/sqlite/database.ts';
import type { Logger } from '../../../src/lib/logger.ts';
import { VersionConflict, type AppendEntry } from '../../../src/ports/sheet-store.ts';
import { addSheet } from '@sheaf/engine';
import { DocumentHandle } from '../../../src/modules/sheet/host/document-handle.ts';
import type { CallResult } from '../../../src/modules/sheet/host/queued-call.ts';
import { DocumentThreadPool } from '../../../src/modules/sheet/host/document-thread-pool.ts';
import { stamp } from '@sheaf/tools/testing/stamp-fixture.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

/** The thread is lost between the moment it has applied a call and the moment the call is in the log. */
class LosesTheThread extends SqlSheetStore {
  atAppend: (() => Promise<void>) | undefined;

  override async append(id: string, entries: readonly AppendEntry[]): Promise<void> {
    const lose = this.atAppend;
    this.atAppend = undefined;
    await lose?.();
    return super.append(id, entries);
  }
}

const script = join(process.cwd(), 'dist', 'workers', 'sheet.js');

/** The worker, which hangs when it is asked for the tool `hang`. */
async function hangingScript(): Promise<string> {
  const path = join(await temporaryFolder(), 'hangs.mjs');
  const lines = [
    "import { parentPort } from 'node:worker_threads';",
    "const hangs = ({ task }) => task?.calls?.some(({ tool }) => tool === 'hang');",
    'const on = parentPort.on.bind(parentPort);',
    'parentPort.on = (name, listener) => on(name, (message) => { while (hangs(message)); listener(message); });',
    `await import(${JSON.stringify(pathToFileURL(script).href)});`,
  ];
  await writeFile(path, lines.join('\n'));
  return path;
}

async function opened(worker = script, silenceMs?: number) {
  const folder = await temporaryFolder();
  const database = await openSqlite(join(folder, 'test.db'));
  await migrate(database);
  await new SqlAccountStore(database).createUser(stamp(), { id: 'u1', name: 'u1', role: 'member', passwordHash: null });
  const sheets = new LosesTheThread(database, { quotaBytes: 2 ** 40, documentBytes: 2 ** 40 });
  const first = {
    version: 1,
    userId: 'u1',
    at: 1000,
    tool: 'create_file',
    seed: 0,
    mutations: JSON.stringify([addSheet.of({ sheet: 's1', name: 'Sheet1' })]),
    inverse: '[]',
  };
  await sheets.create(stamp({ userId: 'u1' }), { id: 'd1', title: 'One', ownerId: 'u1' }, [first]);
  const quiet = (): void => undefined;
  const log: Logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  let handle: DocumentHandle | undefined;
  const threads = new DocumentThreadPool(worker, () => handle?.unload(), silenceMs);
  handle = new DocumentHandle(
    'd1',
    {
      sheets,
      blobs: new FilesystemBlobStore(folder),
      blobAccounting: new SqlBlobAccounting(database),
      config: { SHEAF_QUOTA_BYTES: 2 ** 40 },
      events: new InProcessEventBus(),
      clock: { now: () => 1000 },
      log,
    },
    threads,
  );
  onTestFinished(async () => {
    await threads.close();
    await database.close();
  });
  const call = (tool: string, input: Record<string, unknown>): Promise<CallResult> =>
    new Promise((resolve, reject) => {
      handle.enqueue({
        tool,
        input: { sheet_id: 's1', ...input },
        // Not frozen: the answer is added to it.
        stamp: { ...stamp({ userId: 'u1' }) },
        isOwner: true,
        isAtPage: false,
        need: 'editor',
        atLeast: 1,
        isCurrent: true,
        resolve,
        reject,
        progress: undefined,
        retries: 0,
      });
    });
  const write = (row: number, value: number): Promise<CallResult> =>
    call('set_cell_value', { contents: { values: [[row, 0, [value]]], formulas: [] } });
  const read = async (): Promise<unknown> =>
    (await call('get_cell_data', { start_row: 0, start_col: 0, end_row: 2, end_col: 0, return_csv: true })).data;
  const lose = async (): Promise<void> => {
    await threads.send({ do: 'close', file: 'd1' });
    handle.unload();
  };
  return { sheets, threads, call, write, read, lose };
}

test('a document whose thread is lost while a call is being committed is opened anew', async () => {
  const { sheets, write, read, lose } = await opened();
  await write(0, 1);
  sheets.atAppend = lose;
  expect(await write(1, 2)).toEqual({ data: {}, version: 3 });
  expect(await read()).toEqual({ csv_data: '1\n2\n' });
  expect(await write(2, 3)).toEqual({ data: {}, version: 4 });
  expect(await read()).toEqual({ csv_data: '1\n2\n3\n' });
});

test('the same when another node has won the version meanwhile', async () => {
  const { sheets, write, read, lose } = await opened();
  await write(0, 1);
  sheets.atAppend = async () => {
    await lose();
    throw new VersionConflict();
  };
  expect(await write(1, 2)).toEqual({ data: {}, version: 3 });
  expect(await read()).toEqual({ csv_data: '1\n2\n' });
});

test('[finding R17] a call that only waited behind one that was ended is tried again', async () => {
  const { threads, write, read } = await opened(await hangingScript());
  await write(0, 1);
  const ended = threads
    .send({ do: 'run', file: 'd1', committed: 2, calls: [{ tool: 'hang' }] } as never, { workMs: 20 })
    .catch((error: Error) => error.message);
  const waiting = write(1, 2);
  expect(await ended).toBe('the document thread took too long');
  expect(await waiting).toEqual({ data: {}, version: 3 });
  expect(await read()).toEqual({ csv_data: '1\n2\n' });
});

test('[finding R17] calls of the same document that came with one that was ended are tried again, each by itself', async () => {
  const { call, write, read } = await opened(await hangingScript(), 3000);
  await write(0, 1);
  const [first, ended, second] = await Promise.allSettled([write(1, 2), call('hang', {}), write(2, 3)]);
  expect(first).toEqual({ status: 'fulfilled', value: { data: {}, version: 3 } });
  expect(second).toEqual({ status: 'fulfilled', value: { data: {}, version: 4 } });
  expect(ended).toMatchObject({ status: 'rejected', reason: { word: 'busy' } });
  expect(await read()).toEqual({ csv_data: '1\n2\n3\n' });
});
