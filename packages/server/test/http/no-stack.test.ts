import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modules } from '../../src/modules.ts';
import type { Logger } from '../../src/lib/logger.ts';
import { doc, ppt, xls } from '@sheaf/tools/testing/formats/ole-documents.ts';
import { docx, pptx, xlsx, xmindJson } from '@sheaf/tools/testing/formats/ooxml.ts';
import { simplePdf } from '@sheaf/tools/testing/formats/pdf.ts';
import { png } from '@sheaf/tools/testing/formats/media.ts';
import { flowOn, type Flow } from '../ingestion/support.ts';
import { fullFeatureWorkbook } from '@sheaf/tools/testing/xlsx/full-feature-workbook.ts';
import { examples } from '../spec/examples.ts';
import { newDocument } from '../spec/sheet/examples.ts';
import { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';

interface Logged {
  readonly requestId?: string;
  readonly err?: unknown;
}

const logged: Logged[] = [];
const silent = (): void => undefined;
const log: Logger = {
  debug: silent,
  info: silent,
  warn: silent,
  error: (fields) => void logged.push(fields as Logged),
};

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ log });
});
afterAll(() => server?.close());

/** Frames of a stack, files of the product or of its data, and what JavaScript itself says of its faults. */
const leaks: [string, RegExp][] = [
  ['a frame of a stack', /\n\s+at |\bat [\w.<>]+ \(/],
  ['a file of the product', /\bdist[/\\]|node_modules|src[/\\][\w/-]+\.ts|\.[cm]?js:\d+|file:\/\/|node:internal/],
  [
    'a fault in the words of JavaScript',
    /Cannot (read|set) propert|is not a function|is not iterable|is not defined|Maximum call stack|Invalid (array|string|typed array) length/,
  ],
];

/** What an answer must not hold, whatever was asked. */
function leakIn(answer: unknown): string | undefined {
  const text = JSON.stringify(answer).replaceAll('\\n', '\n');
  if (text.includes(server.folder)) return `the data folder: ${text.slice(0, 300)}`;
  const found = leaks.find(([, pattern]) => pattern.test(text));
  return found && `${found[0]}: ${text.slice(0, 300)}`;
}

/** An internal error is in the log with its stack, under the id that the caller is told. */
function unlogged(answer: { code: number; msg: string }, internal: number): string | undefined {
  if (answer.code !== internal) return undefined;
  const [, id = ''] = /under request id (\S+)$/.exec(answer.msg) ?? [];
  const entry = logged.find(({ requestId }) => requestId === id);
  return entry?.err instanceof Error && entry.err.stack ? undefined : `not in the log: ${answer.msg}`;
}

const hostile: unknown[] = [
  '%'.repeat(1_500),
  `select * from "A" where A like '${'.'.repeat(1_200)}'`,
  '../../../etc/passwd\u0000',
  '\ud800',
  '=1+(((((((("',
  -1,
  1e308,
  {},
  [],
  [[[[null]]]],
  null,
  true,
];

describe('[finding R19] no answer holds a stack, a path or a fault in our own words', () => {
  for (const module of Object.values(modules))
    test(`operations of ${module.name}`, { timeout: 600_000 }, async () => {
      const own = examples[module.name as keyof typeof examples];
      const found: string[] = [];
      let calls = 0;
      const ask = async (operation: string, input: unknown): Promise<void> => {
        calls++;
        const answer = await server.call('http', module.name, operation, input);
        const leak = leakIn(answer) ?? unlogged(answer, module.errors.internal.code);
        if (leak !== undefined) found.push(`${operation} ${JSON.stringify(input).slice(0, 200)}: ${leak}`);
      };
      for (const { name } of Object.values(module.operations)) {
        const example = own[name] ? await own[name](server) : {};
        // Each value meets every operation, by one of its fields.
        const keys = Object.keys(example);
        for (const [index, value] of hostile.entries())
          if (keys.length > 0) await ask(name, { ...example, [keys[index % keys.length]!]: value });
        await ask(name, Object.fromEntries(Object.keys(example).map((key) => [key, hostile[0]])));
        await ask(name, {});
      }
      expect(found).toEqual([]);
      expect(calls).toBeGreaterThan(Object.keys(module.operations).length);
    });

  test('a pattern of like that is too long is refused as a parameter', async () => {
    const file = await newDocument(server);
    const query = `select * from ${'Sheet1'} where A like '${'a'.repeat(1_001)}'`;
    const answer = await server.call('http', 'sheet', 'query', { file_id: file.file_id, query });
    expect(answer).toMatchObject({ code: 310001, data: {} });
    expect(answer.msg).toMatch(/^query: like: a pattern has at most 1000 characters, this one has 1005/);
  });

  test('a fault in a sheet thread is logged with its stack and answered without', async () => {
    const { file_id } = await newDocument(server);
    const { services, database } = server.app;
    const bytes = Buffer.from('no snapshot of a document');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    let answer = { code: 0, msg: '' };
    // The search index may have opened the copy before it was damaged; then it is served from memory.
    for (let attempt = 0; attempt < 20 && answer.code === 0; attempt++) {
      const copy = (await server.call('http', 'manage', 'copy_file', { file_id })).data.file_id as string;
      await services.blobs.put(`sheets/${copy}/0`, bytes, bytes.length);
      await database.write(null, (tx) =>
        tx.run('UPDATE document_snapshot SET sha256 = ?, size = ? WHERE document_id = ?', sha256, bytes.length, copy),
      );
      answer = await server.call('http', 'sheet', 'get_sheet_info', { file_id: copy });
    }
    expect(answer.code).toBe(310012);
    expect(answer.msg).toMatch(/^internal error; the server log has details under request id \S+$/);
    expect(unlogged(answer, 310012)).toBeUndefined();
  });
});

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

/** Bytes that make readers throw: cut off, with bits changed, and of another kind. */
function damagedCopies(
  bytes: Uint8Array,
  others: readonly Uint8Array[],
  chance: SeededRandom,
  flips = 6,
): Uint8Array[] {
  const cut = [0.3, 0.95].map((share) => bytes.slice(0, Math.floor(bytes.length * share)));
  const flipped = Array.from({ length: flips }, () => {
    const copy = Uint8Array.from(bytes);
    for (let i = 0; i < 12; i++) copy[chance.below(copy.length)]! ^= 1 << chance.below(8);
    return copy;
  });
  return [...cut, ...flipped, ...others.map((other) => Uint8Array.from([...bytes.slice(0, 8), ...other.slice(8)]))];
}

describe('[finding X9][finding R19] no reader answers with a stack, a path or a fault in our own words', () => {
  const workbooks = { xlsx: fullFeatureWorkbook(), xls: xls([['a', 1], [], ['b', 2]]), csv: text('a,b\n"c",=1+\n') };

  test.each(Object.entries(workbooks))('import_file of %s', { timeout: 300_000 }, async (name, bytes) => {
    const found: string[] = [];
    const others = Object.entries(workbooks)
      .filter(([other]) => other !== name)
      .map(([, other]) => other);
    for (const copy of damagedCopies(bytes, others, new SeededRandom(19))) {
      const content = Buffer.from(copy).toString('base64');
      const answer = await server.call('http', 'manage', 'import_file', { title: name, content });
      const leak = leakIn(answer) ?? unlogged(answer, 310012);
      if (leak !== undefined) found.push(leak);
    }
    expect(found).toEqual([]);
  });

  const office = 'application/vnd.openxmlformats-officedocument';
  const files: [name: string, type: string, mediaType: number, bytes: Uint8Array][] = [
    ['a.pdf', 'application/pdf', 1, simplePdf()],
    ['b.docx', `${office}.wordprocessingml.document`, 3, docx()],
    ['c.doc', 'application/msword', 3, doc([{ text: 'Beginning', style: 1 }, { text: 'end' }])],
    ['d.pptx', `${office}.presentationml.presentation`, 4, pptx()],
    ['e.ppt', 'application/vnd.ms-powerpoint', 4, ppt([{ title: 'Opening', body: 'first' }])],
    ['f.xlsx', `${office}.spreadsheetml.sheet`, 5, xlsx()],
    ['g.xls', 'application/vnd.ms-excel', 5, workbooks.xls],
    ['h.csv', 'text/csv', 5, workbooks.csv],
    ['i.md', 'text/markdown', 7, text('# a\n\n| b | c |\n|---|---|\n')],
    ['j.png', 'image/png', 9, png(10, 20)],
    ['k.txt', 'text/plain', 13, text('plain')],
    ['l.xmind', 'application/x-xmind', 14, xmindJson()],
  ];

  let flow: Flow;
  beforeAll(async () => {
    flow = await flowOn(server);
  });

  test.each(files)('a knowledge base: %s', { timeout: 300_000 }, async (name, type, mediaType, bytes) => {
    const found: string[] = [];
    const copies = damagedCopies(bytes, [simplePdf()], new SeededRandom(9), 2);
    for (const [index, copy] of copies.entries()) {
      const sent = await flow.send({ name: `${index}-${name}`, type, mediaType, bytes: copy });
      const answers = [sent, sent.code === 0 ? await flow.state(sent.data.media_id as string) : {}];
      const leak = answers.map(leakIn).find((one) => one !== undefined);
      if (leak !== undefined) found.push(leak);
    }
    expect(found).toEqual([]);
  });
});
