import { expect, test } from 'vitest';
import { newId } from '../../../src/lib/ids.ts';
import { maxRevisionBytes, RevisionSize } from '../../../src/modules/sheet/calls/revision-size.ts';
import { addSheet, setRangeBlock, type Mutation } from '@sheaf/engine';
import { WorkerDocuments } from '../../../src/modules/sheet/host/worker-documents.ts';
import type { ToolAnswer } from '../../../src/modules/sheet/host/protocol.ts';
import { tools } from '../../../src/modules/sheet/tools.ts';

/** A document with these rows in A1 of s1, and what its thread answers. */
function opened(...more: Mutation[]): { run(tool: string, input: object): ToolAnswer; text(): string } {
  const thread = new WorkerDocuments(tools, newId);
  const mutations = JSON.stringify([addSheet.of({ sheet: 's1', name: 'Sheet1' }), ...more]);
  thread.handle({
    do: 'open',
    file: 'd',
    snapshot: undefined,
    version: 0,
    revisions: [{ version: 1, at: 0, seed: 0, mutations }],
  } as never);
  return {
    run: (tool, input) => {
      const call = {
        tool,
        input: { file_id: 'd', sheet_id: 's1', ...input },
        userId: 'u',
        isOwner: true,
        at: 0,
        seed: 1,
        isAtPage: false,
      };
      const request = { do: 'run', file: 'd', committed: 1, calls: [call] };
      return (thread.handle(request as never) as { answers: ToolAnswer[] }).answers[0]!;
    },
    text: () => {
      const { bytes } = thread.handle({ do: 'snapshot', file: 'd' } as never) as { bytes: Uint8Array };
      return Buffer.from(bytes).toString('latin1');
    },
  };
}

const rows = (...cells: unknown[][]): Mutation =>
  setRangeBlock.of({ sheet: 's1', row: 0, col: 0, rows: cells as never });

function refused(answer: ToolAnswer): void {
  const { word = '', message = '' } = answer.kind === 'failure' ? answer : {};
  expect(word).toBe('limit_exceeded');
  expect(message).toMatch(
    /^(?:calls\[1\]: )?the call would write (at least )?\d+ bytes of changes, counted with what undoes them, and one call writes at most 33554432; /,
  );
  expect(Number(/(\d+) bytes/.exec(message)![1])).toBeGreaterThan(maxRevisionBytes);
}

const long = 'x'.repeat(32_000);
const wide = 'é'.repeat(32_000);

test.each([
  ['copy_range', { source: 'A1', target: 'A1:A3500' }, [rows([long])]],
  ['copy_range of texts that take two bytes a character', { source: 'A1', target: 'A1:A600' }, [rows([wide])]],
  ['copy_range with series', { source: 'A1', target: 'A1:A1000000', series: true }, [rows([`${long}1`])]],
  [
    'copy_range of formulas',
    { source: 'A1:A2', target: 'A1:A900000' },
    [rows([{ formula: `="${'y'.repeat(250)}"&B1` }], [{ formula: `="${'z'.repeat(250)}"&B1` }])],
  ],
  ['copy_range with transpose', { source: 'A1:A1200', target: 'C1', transpose: true }, [column(1200)]],
  ['copy_sheet', {}, [column(1200)]],
  ['replace', { search_term: 'k', replacement: long }, [rows(...Array.from({ length: 1200 }, () => ['k']))]],
  ['write one value into a range', { range: 'A1:A1200', rows: [[long]] }, []],
  ['write one formula into a range', { range: 'A1:A200000', rows: [[`="${'y'.repeat(250)}"&B1`]] }, []],
  [
    'clear_range_cells of what has to come back',
    { start_row: 0, start_col: 0, end_row: 1199, end_col: 0 },
    [column(1200)],
  ],
])('[finding R17] %s is refused before it is written out, and nothing is changed', (name, input, before) => {
  const { run, text } = opened(...(before as Mutation[]));
  const held = text();
  refused(run(name.split(' ')[0]!, input));
  expect(text() === held).toBe(true);
});

function column(count: number): Mutation {
  return rows(...Array.from({ length: count }, () => [long]));
}

test('[finding R17] batch counts what its calls write together', () => {
  const { run } = opened(rows([long]));
  const copy = (col: string): object => ({
    tool: 'copy_range',
    arguments: { source: 'A1', target: `${col}1:${col}600`, sheet_id: 's1' },
  });
  refused(run('batch', { calls: [copy('B'), copy('C')] }));
});

test('[finding R17] what fits is written, and is about as large as it was measured', () => {
  const { run } = opened(rows(['a "text" with \n and é', 12, 3.25, true, null]));
  const answer = run('copy_range', { source: 'A1:E1', target: 'A1:E2000' });
  if (answer.kind !== 'write') throw new Error(JSON.stringify(answer));
  const bytes = Buffer.byteLength(answer.mutations + answer.inverse);
  const measure = (most: number) => (): void => {
    const size = new RevisionSize(most);
    size.add(JSON.parse(answer.mutations));
    size.add(JSON.parse(answer.inverse));
  };
  expect(measure(bytes - 1)).toThrow('bytes of changes');
  expect(measure(bytes * 1.6)).not.toThrow();
});

/** A random value as revisions hold it: lists and objects of any depth, long lists, texts of one to four bytes. */
function randomValue(random: () => number, depth: number): unknown {
  const below = (end: number): number => Math.floor(random() * end);
  const texts = ['', 'a', 'é', '"\\\n', '漢字', '😀', '\ud800', 'x'.repeat(100)];
  const plain = (which: number): unknown => [below(1000), random() * 1e9, null, random() < 0.5, texts[below(8)]][which];
  const kind = below(depth === 0 ? 5 : 8);
  if (kind < 5) return plain(kind);
  const length = [0, 1, 3, 255, 256, 257, 1025][below(depth > 1 ? 4 : 7)]!;
  const which = below(5);
  if (kind === 5) return Array.from({ length }, () => plain(which));
  if (kind === 6) return Array.from({ length: Math.min(length, 300) }, () => randomValue(random, depth - 1));
  return Object.fromEntries(
    Array.from({ length: below(6) }, (_, i) => [`k"${i}`, i === 3 ? undefined : randomValue(random, depth - 1)]),
  );
}

test('a revision written in pieces is what JSON.stringify writes, and its bytes are counted exactly', () => {
  let state = 7;
  const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  let isWholeSeen = false;
  for (let i = 0; i < 300; i++) {
    const value = randomValue(random, 3);
    const text = JSON.stringify(value);
    expect(new RevisionSize().serialize(value)).toBe(text);
    const bytes = Buffer.byteLength(text);
    const write = (most: number) => () => new RevisionSize(most).serialize(value);
    expect(write(bytes)).not.toThrow();
    if (typeof value !== 'object' || value === null || text.length > 2000) continue;
    isWholeSeen = true;
    expect(write(bytes - 2)).toThrow('bytes of changes');
  }
  expect(isWholeSeen).toBe(true);
});

test('[finding R17] writing stops at the limit, long before the whole is written', () => {
  const shared = 'x'.repeat(32_000);
  const size = new RevisionSize(1_000_000);
  expect(() =>
    size.serialize([{ type: 1, data: { values: [[0, 0, Array<string>(1_000_000).fill(shared)]] } }]),
  ).toThrow(/^the call would write at least \d{8} bytes/);
});
