import { FormatError } from '@sheaf/files/format-error';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { afterEach, expect, test } from 'vitest';
import { ParseItemJob } from '../../src/modules/wiki/jobs/parse-item-job.ts';
import type { FileParser } from '../../src/ports/file-parser.ts';
import type { Job } from '../../src/ports/job-queue.ts';

let server: TestServer;
let offset = 0;
afterEach(() => server?.close());

async function call(module: string, operation: string, input: object): Promise<any> {
  const answer = await server.call('http', module, operation, input);
  if (answer.code !== 0) throw new Error(`${operation}: ${answer.code} ${answer.msg}`);
  return answer.data;
}

/** A server that runs no jobs, and the job of a file that was uploaded to it. */
async function uploaded(text: string): Promise<{ id: string; take(kind?: string): Promise<Job | undefined> }> {
  offset = 0;
  server = await startServer({ runJobs: false, clock: { now: () => Date.now() + offset } });
  const { knowledge_base_id: base } = await call('wiki', 'create_knowledge_base', { name: 'Base' });
  const content = Buffer.from(text).toString('base64');
  const { media_id: id } = await call('wiki', 'upload_knowledge', {
    knowledge_base_id: base,
    file_name: 'report.txt',
    content,
  });
  const { jobs } = server.app.services;
  return { id, take: async (kind = 'wiki.parse') => (await jobs.claim([kind], 'worker', 60_000, 1))[0] };
}

const stateOf = async (id: string): Promise<string> => (await server.app.services.wiki.items.item(id))!.state;
const outcome = (work: Promise<void>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => error,
  );
const slow: FileParser = {
  parse: () => Promise.reject(new FormatError('timed_out', 'The file was not read within 120 seconds.')),
  close: async () => undefined,
};

test('[finding S21] a file that ran into the time limit is read again by itself, once the machine is calm', async () => {
  const { id, take } = await uploaded('quarterly figures');
  const { services } = server.app;
  let isCalm = false;
  const first = (await take())!;
  const { signal } = new AbortController();
  const hurried = new ParseItemJob({ ...services, parser: slow }, { isCalm: () => isCalm });
  const postponed = (await outcome(hurried.run(first, signal))) as { name: string; delayMs: number; reason: string };
  expect(postponed).toMatchObject({
    name: 'JobPostponed',
    delayMs: 30_000,
    reason: 'The file took too long to read. It is read again when the server is less busy.',
  });
  await services.jobs.release(first.id, 'worker', postponed.reason, postponed);
  expect(await take()).toBeUndefined();
  offset += 31_000;
  const job = new ParseItemJob(services, { isCalm: () => isCalm });
  const second = (await take())!;
  expect(await outcome(job.run(second, signal))).toMatchObject({ name: 'JobPostponed', reason: undefined });
  await services.jobs.requeue(second, 'worker', 30_000);
  isCalm = true;
  offset += 31_000;
  const third = (await take())!;
  expect(await outcome(job.run(third, signal))).toBe('done');
  expect(await stateOf(id)).toBe('ready');
});

test('[finding S21] a file that needs too long on a calm machine too fails, with the reason', async () => {
  const { take } = await uploaded('quarterly figures');
  const { services } = server.app;
  const { signal } = new AbortController();
  const job = new ParseItemJob({ ...services, parser: slow }, { isCalm: () => true });
  const first = (await take())!;
  const reason = ((await outcome(job.run(first, signal))) as Error).message;
  await services.jobs.release(first.id, 'worker', reason, { delayMs: 0 });
  const second = (await take())!;
  expect(await outcome(job.run(second, signal))).toMatchObject({
    name: 'JobFailed',
    message: 'The file was not read within 120 seconds.',
  });
});

test('[finding S21] a job waits an hour at most for a calm machine', async () => {
  const { id, take } = await uploaded('quarterly figures');
  const { services } = server.app;
  const { signal } = new AbortController();
  const first = (await take())!;
  await services.jobs.release(
    first.id,
    'worker',
    'The file took too long to read. It is read again when the server is less busy.',
    { delayMs: 0 },
  );
  offset += 61 * 60_000;
  const job = new ParseItemJob(services, { isCalm: () => false });
  expect(await outcome(job.run((await take())!, signal))).toBe('done');
  expect(await stateOf(id)).toBe('ready');
});

test('[finding S21] a large file is a job of a kind with slots of its own', async () => {
  const { id, take } = await uploaded('quarterly figures '.repeat(20_000));
  expect(await take()).toBeUndefined();
  const job = (await take('wiki.parse_large'))!;
  const { services } = server.app;
  const { signal } = new AbortController();
  expect(await outcome(new ParseItemJob(services, { kind: 'wiki.parse_large' }).run(job, signal))).toBe('done');
  expect(await stateOf(id)).toBe('ready');
});
