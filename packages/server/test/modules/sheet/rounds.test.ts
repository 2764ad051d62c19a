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
