import { expect, test } from 'vitest';
import { newId } from '../../../src/lib/ids.ts';
import { addSheet, setRangeBlock } from '@sheaf/engine';
import { WorkerDocuments } from '../../../src/modules/sheet/host/worker-documents.ts';
import type { ToolAnswer } from '../../../src/modules/sheet/host/protocol.ts';
import { tools } from '../../../src/modules/sheet/tools.ts';

const long = 'x'.repeat(32_000);
/** Characters of two units each: a part of such a text takes more than a copy. */
const pairs = '\u{1f600}'.repeat(16_000);

function ask(query: string): ToolAnswer {
  const thread = new WorkerDocuments(tools, newId);
  const rows = [['t', 'u'], ...Array.from({ length: 3 }, () => [long, pairs])];
  const mutations = [
    addSheet.of({ sheet: 's1', name: 'Sheet1' }),
    setRangeBlock.of({ sheet: 's1', row: 0, col: 0, rows }),
  ];
  const revisions = [{ version: 1, at: 0, seed: 0, mutations: JSON.stringify(mutations) }];
  thread.handle({ do: 'open', file: 'd', snapshot: undefined, version: 0, revisions } as never);
  const input = { file_id: 'd', sheet_id: 's1', query };
  const call = { tool: 'query', input, userId: 'u', isOwner: true, at: 0, seed: 1, isAtPage: false };
  const request = { do: 'run', file: 'd', committed: 1, calls: [call] };
  return (thread.handle(request as never) as { answers: ToolAnswer[] }).answers[0]!;
}

/** As long a question as may be asked, made of a piece that is repeated. */
function repeated(head: string, piece: string, tail: string): string {
  return head + piece.repeat(Math.floor((10_000 - head.length - tail.length) / piece.length)) + tail;
}

const nested = (name: string, depth: number): string =>
  `select ${`${name}(`.repeat(depth)}t${", 'x', t)".repeat(depth)} from Sheet1`;

test.each([
  ['sums of lengths', repeated('select length(u)', '+length(u)', ' from Sheet1')],
  ['parts of texts', repeated('select substr(u,1,9)', '||substr(u,1,9)', ' from Sheet1')],
  ['lists of replaced texts', repeated('select 1', ",replace(t,'x','yy')", ' from Sheet1')],
  ['conditions that read every text', repeated('select 1 from Sheet1 where length(u)=0', ' or length(u)=0', '')],
  ['keys of groups', repeated('select count(*) from Sheet1 group by length(u)', ',length(u)', '')],
])('[finding R23] %s use up the budget of the call by the characters they touch', (_, query) => {
  expect(ask(query)).toMatchObject({ kind: 'failure', word: 'busy' });
});

test.each([
  ['replace', nested('replace', 30)],
  ['||', `select t${'||t'.repeat(500)} from Sheet1`],
  ['concat', `select concat(${'t,'.repeat(49)}t) from Sheet1`],
  ['group_concat', 'select group_concat(t) from Sheet1'],
])('[finding R23] %s builds no more than a cell holds', (_, query) => {
  const answer = ask(`${query} limit 1`);
  if (answer.kind !== 'read') throw new Error(JSON.stringify(answer));
  const text = typeof answer.json === 'string' ? answer.json : new TextDecoder().decode(answer.json);
  expect((JSON.parse(text) as { rows: string[][] }).rows[0]![0]!.length).toBeLessThanOrEqual(32_767);
});

test('[finding R23] an alias that stands for a long expression counts every time it is used, and nesting is no fault', () => {
  const query = `select 1${'+1'.repeat(2000)} as total from Sheet1 order by total${'+total'.repeat(900)}`;
  expect(ask(query)).toMatchObject({ kind: 'failure' });
});

test('[finding R23] what a question usually asks is answered as before', () => {
  const answer = ask("select upper(left(t, 3)) || '-' || length(t) as k, count(*) n from Sheet1 group by k");
  if (answer.kind !== 'read') throw new Error(JSON.stringify(answer));
  const text = typeof answer.json === 'string' ? answer.json : new TextDecoder().decode(answer.json);
  expect(JSON.parse(text)).toEqual({ columns: ['k', 'n'], rows: [['XXX-32000', 3]], row_count: 1 });
});
