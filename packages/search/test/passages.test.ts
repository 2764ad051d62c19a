import { describe, expect, it } from 'vitest';
import { NearDuplicates } from '../src/passages/near-duplicates.ts';
import { PassageIndex } from '../src/passages/passage-index.ts';
import { rankPassages } from '../src/passages/rank-passages.ts';
import { scoreTexts } from '../src/passages/score-texts.ts';
import { splitPassages, type Outline } from '../src/passages/split-passages.ts';

const none: Outline = { headings: [], pages: [] };
const filler = 'Sentences that say nothing of what is asked for here. '.repeat(20);

function built(body: string, outline: Outline): PassageIndex {
  const steps = PassageIndex.build(body, outline);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

function rank(texts: readonly { body: string; outline?: Outline; score?: number }[], query: string, limit = 10) {
  const ranked = texts.map(({ body, outline = none, score = 1 }) => ({
    body,
    index: built(body, outline),
    score,
  }));
  return rankPassages(ranked, query, limit, { includeLeadPassages: true }).map(({ text, from, to, row }) => ({
    text,
    words: texts[text]!.body.slice(from, to).trim(),
    row: row && texts[text]!.body.slice(row.from, row.to).trim(),
  }));
}

describe('splitting a text with a table', () => {
  const lines = Array.from({ length: 60 }, (_, i) => `bird ${i}\t${i * 7}\tseen in the harbour`);
  const head = 'Birds\nName\tCount\tPlace\n';
  const text = `${head}${lines.join('\n')}\nNotes below the table.`;
  const from = head.length;
  const table = { from, to: from + lines.join('\n').length + 1, headings: ['Name', 'Count', 'Place'] };

  it('keeps rows whole and the rest apart', () => {
    const passages = splitPassages(text, { ...none, tables: [table] });
    const inTable = passages.filter((one) => one.table);
    expect(inTable.length).toBeGreaterThan(2);
    expect(inTable.flatMap((one) => text.slice(one.from, one.to).trim().split('\n'))).toEqual(lines);
    expect(passages.filter((one) => !one.table).map((one) => text.slice(one.from, one.to).trim())).toEqual([
      head.trim(),
      'Notes below the table.',
    ]);
    expect(passages.map((one) => text.slice(one.from, one.to)).join('')).toBe(text);
  });

  it('ranks a run of rows by its best row, not by words of several', () => {
    const [best] = rank([{ body: text, outline: { ...none, tables: [table] } }], 'count of bird 41');
    expect(best?.row).toBe('bird 41\t287\tseen in the harbour');
  });

  it('names no row when several match as well', () => {
    const rows = 'first\t2026\t10\nsecond\t2026\t20\n';
    const [best] = rank(
      [{ body: rows, outline: { ...none, tables: [{ from: 0, to: rows.length, headings: [] }] } }],
      '2026',
    );
    expect(best?.words).toBe(rows.trim());
    expect(best?.row).toBeUndefined();
  });

  it('takes a row that is longer than a passage as one', () => {
    const long = `${'word '.repeat(2000)}\tend\nnext\trow\n`;
    const [first] = splitPassages(long, { ...none, tables: [{ from: 0, to: long.length, headings: [] }] });
    expect(long.slice(first!.from, first!.to)).toBe(`${'word '.repeat(2000)}\tend\n`);
  });
});

describe('ranking passages', () => {
  it('finds words in any form, in headings too, and tells of a text without them its beginning', () => {
    const body = `Travel\n${filler}\nSeats\nThe office books them. ${filler}`;
    const outline = { headings: [{ level: 1, offset: body.indexOf('Seats'), text: 'Seats' }], pages: [] };
    expect(rank([{ body, outline }], 'booking a seat')[0]?.words).toContain('The office books them.');
    expect(rank([{ body }], 'plover')).toEqual([{ text: 0, words: expect.stringMatching(/^Travel/), row: undefined }]);
    expect(rank([{ body: '' }], 'plover')).toEqual([{ text: 0, words: '', row: undefined }]);
  });

  it('prefers the passage of the better text, and leaves out what has much less', () => {
    const body = `The heron fishes at dawn. ${filler}`;
    expect(
      rank(
        [
          { body, score: 0.3 },
          { body, score: 1 },
        ],
        'heron at dawn',
      )[0]?.text,
    ).toBe(1);
    const other = `${filler} dawn ${filler}`;
    expect(rank([{ body: `${body}\n${other}` }], 'when does the heron fish at dawn')).toHaveLength(1);
  });

  it('takes words in quotes, and names with a number, only where they are together', () => {
    const body = `${filler} model 5 of GPT, and 4 others. ${filler}\n${filler} GPT-4 is one. ${filler}`;
    expect(rank([{ body }], 'GPT-4')[0]?.words).toContain('GPT-4 is one.');
    expect(rank([{ body }], '"others model"')[0]?.words).not.toContain('GPT-4');
  });

  it('adds what a passage is near in meaning with the weight that the search gave it', () => {
    const body = `${filler}\n# One\n${filler}\n# Two\n${filler} a heron ${filler}`;
    const index = built(body, none);
    const withWord = index.passages.findIndex(({ from, to }) => body.slice(from, to).includes('a heron'));
    const scoresWith = (score: number): number[] => {
      const near = { from: index.passages[0]!.from, to: index.passages[0]!.to, score };
      const found = rankPassages([{ body, index, score: 0.2, near }], 'heron', 10);
      return [0, withWord].map((at) => found.find(({ from }) => from === index.passages[at]!.from)?.score ?? 0);
    };
    expect(withWord).toBeGreaterThan(0);
    expect(scoresWith(1.2)).toEqual([1.4, 0.8]);
    expect(scoresWith(0.5)).toEqual([0.7, 0.8]);
  });

  it('counts characters without spaces by pairs', () => {
    const body = `${'一些与问题无关的文字。'.repeat(60)}年假需要提前两周申请。`;
    expect(rank([{ body }], '怎么申请年假')[0]?.words).toContain('年假需要提前两周申请');
  });
});

describe('scoring texts by their titles', () => {
  const scores = (titles: string[], query: string): number[] =>
    scoreTexts(
      titles.map((title) => ({ title, score: 1 })),
      query,
    );

  it.each([
    ['revenue of Best Buy in FY2022', ['BESTBUY_2022_10K.pdf', 'BESTBUY_2021_10K.pdf', 'BOEING_2022_10K.pdf']],
    ['手册里的年假', ['员工手册.md', '会议记录.md']],
    ['the berry report', ['Reports on berries.docx', 'Report.docx', 'The.docx']],
  ])('%j puts the first of %j first', (query, titles) => {
    const [first, ...others] = scores(titles, query);
    for (const other of others) expect(first).toBeGreaterThan(other);
  });

  it('does without any', () => {
    expect(scoreTexts([], 'word')).toEqual([]);
    expect(scores(['', ''], '')).toEqual([0.4, 0.4]);
  });
});

describe('near duplicates', () => {
  it.each([
    ['The tide is out and the worms come up early.', 'The tide is out and the worms come up early!', true],
    ['潮水退去，虫子很早就出来了。', '潮水退去，虫子很早就出来了', true],
    ['row 1 | plover | 40', 'row 2 | curlew | 51', false],
    ['one', 'two', false],
    ['same', 'Same.', true],
  ])('%j and %j: %s', (one, other, isNear) => {
    const seen = new NearDuplicates();
    expect([seen.has(one), seen.has(other)]).toEqual([false, isNear]);
  });
});
