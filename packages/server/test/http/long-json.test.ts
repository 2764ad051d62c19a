import { request as httpRequest } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { account } from '../../src/modules/account/index.ts';
import { defineModule } from '../../src/kernel/module.ts';
import { operation } from '../../src/kernel/operation.ts';
import { parseJsonBody } from '../../src/transports/http/json-body.ts';
import type { HttpFailure } from '../../src/transports/http/answer.ts';
import { BodyBudget } from '../../src/transports/http/request-body.ts';
import { startServer } from '@sheaf/tools/testing/test-server.ts';

const MiB = 2 ** 20;
const bytesOf = (value: unknown): Buffer => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const read = async (value: unknown, options = {}): Promise<unknown> => parseJsonBody(bytesOf(value), options);
const repeated = (piece: string, bytes = 16 * MiB - 100): string =>
  Array.from({ length: Math.floor(bytes / (piece.length + 1)) }, () => piece).join(',');

describe('long JSON', () => {
  test.each([
    [
      'a long list',
      {
        before: 1,
        values: Array.from({ length: 40_000 }, (_, i) => ({ row: i, text: `cell, "${i}" \\ ]}[{` })),
        after: [1, 2],
      },
    ],
    [
      'one deep inside',
      {
        jsonrpc: '2.0',
        params: { arguments: { values: Array.from({ length: 60_000 }, (_, i) => [i, null, 'é中😀']) } },
      },
    ],
    [
      'two lists',
      {
        a: Array.from({ length: 30_000 }, (_, i) => `a${i}"`),
        b: Array.from({ length: 30_000 }, (_, i) => `\\b${i}\\`),
      },
    ],
    ['lists in a list', Array.from({ length: 30 }, () => Array.from({ length: 2000 }, (_, i) => i * 1000))],
    ['long texts', { a: '"\\,[{'.repeat(300_000), b: ['x'.repeat(200_000), 'y'] }],
    [
      '[finding R16] escapes and characters at every place where texts are cut',
      Array.from({ length: 7 }, (_, i) => ({
        [`a${i}`]: 'x'.repeat(i) + '\n"\\'.repeat(60_000),
        [`b${i}`]: 'x'.repeat(i) + '中😀é\u0001'.repeat(40_000),
        [`c${i}`]: 'x'.repeat(i) + '\\u'.repeat(50_000),
        short: 'text',
      })),
    ],
    ['a list of long texts', Array.from({ length: 20 }, (_, i) => String(i).repeat(100_000))],
  ])('%s is what it was', async (_name, value) => {
    expect(await read(value, { maxValues: 1_000_000 })).toEqual(value);
    expect(await read(JSON.stringify(value, null, 1), { maxValues: 1_000_000 })).toEqual(value);
    expect(await read(`\ufeff${JSON.stringify(value)}`, { maxValues: 1_000_000 })).toEqual(value);
  });

  test.each([
    ['cut off', '{"a":[' + repeated('"some text"', MiB)],
    ['with a hole', `[${repeated('"some text"', MiB)},${' '.repeat(400_000)},${repeated('"x"', 300_000)}]`],
    ['closed by the wrong bracket', `{"a":[${repeated('{"x":1]', MiB)}]}`],
    ['not quoted', `[${repeated('abc', MiB)}]`],
  ])('%s is refused', async (_name, text) => {
    await expect(read(text, { maxValues: 1_000_000 })).rejects.toThrow('the request body is not JSON');
  });

  test('[finding R16] names that are too long, and too much outside of long lists and texts, are refused', async () => {
    await expect(read(`{"${'x'.repeat(100_000)}":1}`)).rejects.toThrow('a field name longer than 4096 bytes');
    await expect(read(`{"${'x'.repeat(300_000)}" ${' '.repeat(300_000)}:1}`)).rejects.toThrow('a field name');
    const fields = Array.from({ length: 4000 }, (_, i) => `"f${i}":"${'\\n'.repeat(1000)}"`).join(',');
    await expect(read(`{${fields}}`)).rejects.toThrow('over 2097152 bytes outside long lists and long texts');
  });

  test('not UTF-8, too deep, NUL: as with short bodies', async () => {
    await expect(
      (async () =>
        parseJsonBody(Buffer.concat([bytesOf(`["${'x'.repeat(100_000)}`), Buffer.from([0xff]), bytesOf('"]')])))(),
    ).rejects.toThrow('not valid UTF-8');
    await expect(read(`{"x":"${'x'.repeat(100_000)}","a":${'['.repeat(300)}${']'.repeat(300)}}`)).rejects.toThrow(
      'nested deeper than 200 levels',
    );
    await expect(read(`{"x":"${'x'.repeat(100_000)}","a":["\\u0000"]}`)).rejects.toThrow(
      'a.0: must not contain the NUL character',
    );
  });

  test.each([
    ['empty objects', `{"a":[${repeated('{}')}]}`, 'over 100000 values'],
    ['numbers', `[${repeated('1')}]`, 'over 100000 values'],
    ['lists under one name each', `{${repeated('"a":[1,2,3]')}}`, 'over 100000 values'],
    [
      'ever other names',
      `[${Array.from({ length: 60_000 }, (_, i) => `{"k${i}":1}`).join(',')}]`,
      'more than 10000 different field names',
    ],
  ])(
    '[finding R9] %s in great number are refused by a clear error, and others get their turn meanwhile',
    async (_name, text, message) => {
      const bytes = bytesOf(text);
      let longest = 0;
      let last = performance.now();
      const timer = setInterval(() => {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }, 5);
      await expect((async () => parseJsonBody(bytes))()).rejects.toThrow(message);
      clearInterval(timer);
      // 5 s and more where each value was made.
      expect(longest).toBeLessThan(2_500);
    },
  );

  test('[finding R9] two million values where they are allowed come in one list, in slices', async () => {
    const turns: number[] = [];
    const timer = setInterval(() => turns.push(performance.now()), 1);
    const value = (await read(`{"values":[${Array.from({ length: 300_000 }, () => '{"row":1,"col":2}').join(',')}]}`, {
      maxValues: 2_000_000,
    })) as { values: unknown[] };
    clearInterval(timer);
    expect([value.values.length, value.values.at(-1)]).toEqual([300_000, { row: 1, col: 2 }]);
    expect(turns.length).toBeGreaterThan(10);
    await expect(read(`{${repeated('"a":[1,2,3]')}}`, { maxValues: 100_000_000 })).rejects.toThrow(
      'over 100000 values outside one long list',
    );
  });
});

describe('[finding R9] the memory of bodies', () => {
  const statusOf = (take: () => void): number => {
    try {
      take();
      return 0;
    } catch (error) {
      return (error as HttpFailure).status;
    }
  };

  test('one caller gets half, the next half of the rest, and so on; short bodies always', () => {
    const budget = new BodyBudget(64 * MiB);
    const first = budget.open('a');
    first.grow(32 * MiB);
    expect(statusOf(() => budget.open('a').grow(MiB))).toBe(429);
    expect(statusOf(() => budget.open('b').grow(16 * MiB))).toBe(0);
    expect(statusOf(() => budget.open('c').grow(16 * MiB))).toBe(503);
    expect(statusOf(() => budget.open('c').grow(8 * MiB))).toBe(0);
    expect(statusOf(() => budget.open('a').grow(64 * 1024))).toBe(0);
    first.release();
    first.release();
    expect([budget.reservedBytes, statusOf(() => budget.open('a').grow(16 * MiB))]).toEqual([24 * MiB, 0]);
  });

  test('a caller who sends too many at once is told to wait, another is not, and afterward all is free again', async () => {
    const server = await startServer();
    const other = await server.newUser();
    const body = `{"x":"${'a'.repeat(16 * MiB - 10)}"}`;
    const send = async (path: string, key = server.owner): Promise<[number, string | null]> => {
      const headers = {
        'content-type': 'application/json',
        'svc-openapi-clientid': key.clientId,
        'svc-openapi-apikey': key.apiKey,
      };
      const answer = await fetch(server.url + path, { method: 'POST', headers, body });
      await answer.text();
      return [answer.status, answer.headers.get('retry-after')];
    };
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => send(i % 2 ? '/openapi/account/v1/get_me' : '/mcp')),
    );
    expect(answers.filter(([status]) => status === 429).length).toBeGreaterThan(0);
    expect(answers.filter(([status]) => status === 200).length).toBeGreaterThan(0);
    expect(answers.every(([status, retry]) => (status === 429 ? retry === '1' : status === 200))).toBe(true);
    expect((await send('/openapi/account/v1/get_me', other))[0]).toBe(200);
    expect((await send('/mcp'))[0]).toBe(200);
    await server.close();
  }, 60_000);

  test('a call that waits does not keep the body it came with', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    let waiting = 0;
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const wait = operation({
      name: 'wait',
      summary: 'Waits.',
      effect: 'read',
      input: z.object({}),
      output: z.object({}),
      run: async () => {
        waiting++;
        await held;
        return {};
      },
    });
    const server = await startServer({
      modules: {
        // A specified one: others refuse what they do not know.
        account: defineModule({ ...account, operations: { ...account.operations, wait }, specified: ['wait'] }),
      },
    });
    const used = (): number => {
      collect();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return (heapUsed + arrayBuffers) / MiB;
    };
    // One piece over and over: the client must not hold the whole either.
    const piece = Buffer.alloc(MiB, 'a');
    const send = (path: string, before: string, after: string) =>
      new Promise<number>((resolve, reject) => {
        const headers = {
          'content-type': 'application/json',
          'svc-openapi-clientid': server.owner.clientId,
          'svc-openapi-apikey': server.owner.apiKey,
        };
        const request = httpRequest(server.url + path, { method: 'POST', headers }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        request.on('error', reject);
        request.write(before);
        for (let i = 0; i < 15; i++) request.write(piece);
        request.end(after);
      });
    const before = used();
    const answers: Promise<number>[] = [];
    for (const [path, start, end] of [
      ['/openapi/account/v1/wait', '{"junk":"', '"}'],
      [
        '/mcp',
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"account_wait","arguments":{"junk":"',
        '"}}}',
      ],
      [
        '/mcp',
        '[{"jsonrpc":"2.0","id":1,"method":"tools/call","junk":"',
        '","params":{"name":"account_wait","arguments":{}}}]',
      ],
      ['/openapi/account/v1/wait', '{"junk":"', '"}'],
    ] as const) {
      answers.push(send(path, start, end));
      const count = answers.length;
      await expect.poll(() => waiting, { timeout: 30_000 }).toBe(count);
    }
    // 60 MiB came in.
    await expect.poll(() => used() - before, { timeout: 10_000 }).toBeLessThan(20);
    goOn();
    expect(await Promise.all(answers)).toEqual([200, 200, 200, 200]);
    await server.close();
  }, 120_000);
});
