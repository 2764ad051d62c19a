import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startServer } from '@sheaf/tools/testing/test-server.ts';

interface Sent {
  task?: { do?: string; file?: string; calls?: readonly unknown[] };
}

test('[finding Q20] edits that wait for one document go to its thread together', { timeout: 60_000 }, async () => {
  const server = await startServer({ database: 'sqlite' });
  onTestFinished(() => server.close());
  const { data } = await server.call('http', 'manage', 'create_file', { title: 'Rounds' });
  const posted = vi.spyOn(Worker.prototype, 'postMessage');
  onTestFinished(() => posted.mockRestore());
  // The first one opens the document; the others wait for it.
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, row) =>
      server.call('http', 'sheet', 'append_rows', { file_id: data.file_id, sheet_id: data.sheet_id, rows: [[row]] }),
    ),
  );
  expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 0));
  const rounds = posted.mock.calls.flatMap(([message]) => {
    const { task } = message as Sent;
    return task?.do === 'run' && task.file === data.file_id ? [task.calls!.length] : [];
  });
  expect(rounds.reduce((sum, calls) => sum + calls, 0)).toBe(60);
  expect(rounds.length).toBeLessThan(30);
});

test(
  'a write whose commit fails before the database is asked leaves nothing in memory',
  { timeout: 60_000 },
  async () => {
    const server = await startServer({ database: 'sqlite' });
    onTestFinished(() => server.close());
    const { data } = await server.call('http', 'manage', 'create_file', { title: 'Phantom' });
    const write = (value: number, reason?: string) =>
      server.call('http', 'sheet', 'write', { file_id: data.file_id, range: `A${value}`, rows: [[value]], reason });
    expect(await write(1)).toMatchObject({ code: 0 });
    const encode = vi.spyOn(globalThis, 'encodeURIComponent').mockImplementation((text) => {
      throw new URIError(String(text));
    });
    onTestFinished(() => encode.mockRestore());
    expect(await write(2, 'why')).toMatchObject({ code: 310012 });
    encode.mockRestore();
    expect(await write(3)).toMatchObject({ code: 0, data: { version: 3 } });
    const read = await server.call('http', 'sheet', 'read', { file_id: data.file_id, range: 'A1:A3' });
    expect(read.data.rows).toEqual({ 1: [1], 3: [3] });
    const valid = await server.call('http', 'sheet', 'validate_file_data', { file_id: data.file_id });
    expect(valid.data.is_valid).toBe(true);
  },
);

test('a commit and a look at the version that both fail leave nothing in memory', { timeout: 60_000 }, async () => {
  const server = await startServer({ database: 'sqlite' });
  onTestFinished(() => server.close());
  const { data } = await server.call('http', 'manage', 'create_file', { title: 'Away' });
  const { sheets } = server.app.services;
  const on = { file_id: data.file_id, sheet_id: data.sheet_id };
  const add = (value: number) => server.call('http', 'sheet', 'append_rows', { ...on, rows: [[value]] });
  const read = () => server.call('http', 'sheet', 'read', { file_id: data.file_id, range: 'A1:A9' });
  expect(await add(1)).toMatchObject({ code: 0 });
  let proceed = (): void => undefined;
  const others = new Promise<void>((resolve) => (proceed = resolve));
  const away = new Error('away');
  const append = vi.spyOn(sheets, 'append').mockImplementation(async () => {
    await others;
    throw away;
  });
  vi.spyOn(sheets, 'version').mockRejectedValue(away);
  const find = sheets.find.bind(sheets);
  const found = vi.spyOn(sheets, 'find').mockImplementation(async (id, userId) => {
    const one = await find(id, userId);
    return one && { ...one, isCurrent: false };
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const failing = [add(2)];
  await vi.waitFor(() => expect(append).toHaveBeenCalledOnce());
  // These two wait for the first one and then make one round.
  failing.push(read());
  await vi.waitFor(() => expect(found).toHaveBeenCalledOnce());
  failing.push(add(3));
  await sleep(300);
  proceed();
  expect((await Promise.all(failing)).map(({ code }) => code)).toEqual([310012, 310012, 310012]);
  vi.restoreAllMocks();
  expect(await add(5)).toMatchObject({ code: 0 });
  expect((await read()).data.rows).toEqual({ 1: [1], 2: [5] });
});
