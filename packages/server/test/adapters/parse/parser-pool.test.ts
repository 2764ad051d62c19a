import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ParserPool, type ParserPoolOptions } from '../../../src/adapters/parse/parser-pool.ts';
import { utf8 } from '@sheaf/tools/testing/formats/bytes.ts';
import { docx, xlsx } from '@sheaf/tools/testing/formats/ooxml.ts';
import { bombPdf, recursivePagesPdf, simplePdf } from '@sheaf/tools/testing/formats/pdf.ts';
import { bundleParserWorker, type WorkerBundle } from '@sheaf/tools/testing/formats/parser-worker-bundle.ts';

/** A worker that does to itself what a broken parser would: the text of the job says what. */
const saboteur = `
import './formats.mjs';
process.removeAllListeners('message');
process.on('message', ({ id, bytes }) => {
  const order = Buffer.from(bytes).toString().trim();
  if (order === 'exit') process.exit(3);
  if (order === 'signal') process.kill(process.pid, 'SIGSEGV');
  if (order === 'throw') setTimeout(() => { throw new Error('loose'); });
  if (order === 'reject') Promise.reject(new Error('loose'));
  if (order === 'spin') for (;;);
  if (order === 'heap') { const all = []; for (;;) all.push({ a: [all.length] }); }
  if (order === 'buffers') { const all = []; for (;;) all.push(new Uint8Array(16 * 1024 * 1024).fill(1)); }
  if (order === 'environment') process.send({ id, result: { text: Object.keys(process.env).join(), headings: [], meta: {} } });
  if (order === 'wait') setTimeout(() => process.send({ id, result: { text: 'waited', headings: [], meta: {} } }), 3500);
  if (order.startsWith('say ')) process.send({ id, result: { text: order.slice(4), headings: [], meta: {} } });
});
`;

let bundle: WorkerBundle;
let sabotage: string;
let pool: ParserPool;

beforeAll(async () => {
  bundle = await bundleParserWorker();
  sabotage = join(bundle.folder, 'saboteur.mjs');
  await writeFile(sabotage, saboteur);
});
afterEach(() => pool.close());
afterAll(() => bundle.remove());

const open = (options: Partial<ParserPoolOptions> = {}): ParserPool =>
  (pool = new ParserPool({ script: sabotage, size: 2, timeoutMs: 20_000, ...options }));
const order = (text: string): Promise<unknown> => pool.parse(utf8(text), { kind: 'text' });

describe('the parser pool with the real worker', () => {
  it('starts no worker before there is work, and decodes every job it is given', async () => {
    open({ script: bundle.script });
    expect(pool.workers).toBe(0);
    const results = await Promise.all([
      pool.parse(docx(), { kind: 'docx' }),
      pool.parse(xlsx(), { kind: 'xlsx' }),
      pool.parse(simplePdf(), { kind: 'pdf' }),
      pool.parse(utf8('# 标题'), { kind: 'markdown' }),
    ]);
    expect(results.map((decoded) => decoded.headings[0]?.text)).toEqual([
      '第一章 概述',
      '销售',
      'Annual Report',
      '标题',
    ]);
    expect(pool.workers).toBe(2);
  });

  it('passes on the word and message of a refusal', async () => {
    open({ script: bundle.script });
    await expect(pool.parse(docx(), { kind: 'pdf' })).rejects.toMatchObject({
      name: 'FormatError',
      word: 'unsupported',
      message: expect.stringContaining('a PDF'),
    });
  });

  it('a parser whose server was killed while it started ends by itself', async () => {
    const killed = fork(sabotage, [], { stdio: 'ignore' });
    const gone = once(killed, 'exit');
    killed.kill('SIGKILL');
    await gone;
    const parser = fork(bundle.script, [String(2 ** 30), String(killed.pid)], { stdio: 'ignore' });
    expect(await once(parser, 'exit')).toEqual([null, 'SIGKILL']);
  });

  it('[T27] a PDF that unpacks without end is ended, the item fails, and the next file is read', async () => {
    open({ script: bundle.script, memoryMb: 300, timeoutMs: 15_000 });
    const error = await pool.parse(bombPdf(600), { kind: 'pdf' }).then(
      () => undefined,
      (parseError: unknown) => parseError,
    );
    expect(error).toMatchObject({
      name: 'FormatError',
      word: expect.stringMatching(/^(?:crashed|timed_out|damaged|too_large)$/),
    });
    expect((await pool.parse(simplePdf(), { kind: 'pdf' })).text).toContain('知识库检索');
  });

  it('[T27] a page tree that contains itself ends in an answer', async () => {
    open({ script: bundle.script, timeoutMs: 10_000 });
    const outcome = await pool.parse(recursivePagesPdf(), { kind: 'pdf' }).then(
      () => 'FormatError',
      (error: unknown) => (error instanceof Error ? error.name : 'other'),
    );
    expect(outcome).toBe('FormatError');
  });
});

describe('[T28] a worker that misbehaves', () => {
  it.each(['exit', 'signal', 'throw', 'reject'])('%s: the job fails as crashed, the others go on', async (how) => {
    open();
    const bad = order(how);
    const good = Promise.all([order('say 1'), order('say 2'), order('say 3')]);
    await expect(bad).rejects.toMatchObject({ name: 'FormatError', word: 'crashed' });
    expect(await good).toMatchObject([{ text: '1' }, { text: '2' }, { text: '3' }]);
    expect(await order('say again')).toMatchObject({ text: 'again' });
  });

  it('spinning for ever: the job is timed out and its worker replaced', async () => {
    open({ size: 1, timeoutMs: 300 });
    const bad = order('spin');
    const good = pool.parse(utf8('say after'), { kind: 'text', timeoutMs: 20_000 });
    await expect(bad).rejects.toMatchObject({ word: 'timed_out' });
    expect(await good).toMatchObject({ text: 'after' });
  });

  it('filling its heap: crashed, and the process lives', async () => {
    open({ size: 1, heapMb: 48 });
    await expect(order('heap')).rejects.toMatchObject({ word: 'crashed', message: expect.stringContaining('memory') });
    expect(await order('say alive')).toMatchObject({ text: 'alive' });
  });

  it('filling buffers outside its heap: crashed as well', async () => {
    open({ size: 1, memoryMb: 300 });
    await expect(order('buffers')).rejects.toMatchObject({
      word: 'crashed',
      message: expect.stringContaining('memory'),
    });
    expect(await order('say alive')).toMatchObject({ text: 'alive' });
  });

  it('sees nothing of the environment', async () => {
    open();
    process.env['SHEAF_POOL_TEST_SECRET'] = 'x';
    expect(await order('environment')).toMatchObject({ text: expect.not.stringContaining('SHEAF_POOL_TEST_SECRET') });
  });
});

describe('[finding S21] limits and turns', () => {
  const large = (text: string): Uint8Array => utf8(text.padEnd(300 * 1024));

  it('the limit counts processor time: a file that waits for the machine is read, one that computes is ended', async () => {
    open({ size: 2, timeoutMs: 1500 });
    const computing = expect(order('spin')).rejects.toMatchObject({ word: 'timed_out' });
    expect(await order('wait')).toMatchObject({ text: 'waited' });
    await computing;
  });

  it('small files of a caller do not wait for its large ones, and others are read as before', async () => {
    open({ size: 2 });
    const endless = [1, 2, 3].map(() =>
      pool.parse(large('spin'), { kind: 'text', caller: 'a' }).catch((error: Error) => error.message),
    );
    const say = (text: string, caller: string): Promise<unknown> => pool.parse(utf8(text), { kind: 'text', caller });
    const small = Array.from({ length: 25 }, (_, i) => say(`say ${i}`, 'a'));
    expect((await Promise.all(small)).length).toBe(25);
    expect(await say('say me too', 'b')).toMatchObject({ text: 'me too' });
    expect(await pool.parse(large('say large'), { kind: 'text', caller: 'b' })).toMatchObject({ text: 'large' });
    await pool.close();
    expect(new Set(await Promise.all(endless))).toEqual(new Set(['The parser is shutting down. Try again later.']));
  });
});

describe('[finding R10] turns', () => {
  it('one caller never has all workers: the next one is read while their files take for ever', async () => {
    open({ size: 3 });
    const endless = Array.from({ length: 6 }, () =>
      pool.parse(utf8('spin'), { kind: 'text', caller: 'a' }).catch((error: Error) => error.message),
    );
    expect(await pool.parse(utf8('say me too'), { kind: 'text', caller: 'b' })).toMatchObject({ text: 'me too' });
    expect(pool.queued).toBe(4);
    await pool.close();
    expect(new Set(await Promise.all(endless))).toEqual(new Set(['The parser is shutting down. Try again later.']));
  });

  it('callers take turns, however many files each has', async () => {
    open({ size: 1 });
    const order: string[] = [];
    const say = async (caller: string, text: string): Promise<void> => {
      await pool.parse(utf8(`say ${text}`), { kind: 'text', caller });
      order.push(text);
    };
    await Promise.all([say('a', 'a1'), say('a', 'a2'), say('a', 'a3'), say('b', 'b1'), say('b', 'b2'), say('c', 'c1')]);
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });
});

describe('small files of one caller', () => {
  const say = (text: string, timeoutMs = 20_000): Promise<unknown> =>
    pool.parse(utf8(text), { kind: 'text', caller: 'a', timeoutMs });

  it('are sent ahead of answers, and every one is answered', async () => {
    open({ script: bundle.script, size: 1 });
    const texts = Array.from({ length: 40 }, (_, i) => `# title ${i}`);
    const read = await Promise.all(texts.map((text) => pool.parse(utf8(text), { kind: 'markdown', caller: 'a' })));
    expect(read.map(({ headings }) => headings[0]?.text)).toEqual(texts.map((text) => text.slice(2)));
    expect(pool.workers).toBe(1);
  });

  it.each(['exit', 'spin'])(
    '%s: only the one at fault fails, those sent after it are read by another worker',
    async (how) => {
      open({ size: 1 });
      const all = [say('say 1'), say('say 2'), say(how, 300), say('say 3'), say('say 4'), say('say 5')];
      const outcomes = await Promise.allSettled(all);
      expect(outcomes.map(({ status }) => status)).toEqual([
        'fulfilled',
        'fulfilled',
        'rejected',
        'fulfilled',
        'fulfilled',
        'fulfilled',
      ]);
    },
  );

  it('one that is called off while it waits behind another is over at once, and the others go on', async () => {
    open({ size: 1 });
    const off = new AbortController();
    const all = Promise.all([say('say 1'), say('say 2')]);
    const dropped = pool.parse(utf8('say 3'), { kind: 'text', caller: 'a', signal: off.signal });
    const last = say('say 4');
    off.abort();
    await expect(dropped).rejects.toMatchObject({ name: 'FormatError' });
    expect(await all).toMatchObject([{ text: '1' }, { text: '2' }]);
    expect(await last).toMatchObject({ text: '4' });
  });
});

describe('the life of a pool', () => {
  it('ends idle workers and starts new ones when there is work again', async () => {
    open({ idleMs: 20 });
    await order('say x');
    await expect.poll(() => pool.workers).toBe(0);
    expect(await order('say y')).toMatchObject({ text: 'y' });
  });

  it('an aborted job ends, waiting or running', async () => {
    open({ size: 1 });
    const running = new AbortController();
    const waiting = new AbortController();
    const first = pool.parse(utf8('spin'), { kind: 'text', signal: running.signal });
    const second = pool.parse(utf8('say never'), { kind: 'text', signal: waiting.signal });
    waiting.abort();
    running.abort();
    await expect(first).rejects.toMatchObject({ name: 'FormatError' });
    await expect(second).rejects.toMatchObject({ name: 'FormatError' });
  });

  it('closing fails what runs and what waits, and takes no more', async () => {
    open({ size: 1 });
    const outcomes = Promise.allSettled([order('spin'), order('say x')]);
    await pool.close();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(order('say late')).rejects.toMatchObject({ word: 'crashed' });
    expect(pool.workers).toBe(0);
  });
});
