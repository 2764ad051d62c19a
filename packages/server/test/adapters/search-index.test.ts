import fc from 'fast-check';
import { open as openFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SqliteSearchIndex } from '../../src/adapters/search/sqlite-index.ts';
import type { SearchEntry, SearchIndex, SearchQuery } from '../../src/ports/search-index.ts';
import { eachDatabase } from '@sheaf/tools/testing/databases.ts';
import { openSearchIndex, searchWorker } from '@sheaf/tools/testing/search-index.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

function entry(id: string, over: Partial<SearchEntry> = {}): SearchEntry {
  return {
    space: 'note',
    id,
    owner: 'ann',
    title: '',
    headings: '',
    body: '',
    created: 1,
    modified: 1,
    titleKey: '',
    size: 0,
    ...over,
  };
}

function ask(over: Partial<SearchQuery> = {}): SearchQuery {
  return { space: 'note', owners: ['ann'], order: 'modified', offset: 0, limit: 100, ...over };
}

async function answer(index: SearchIndex, query: SearchQuery): Promise<{ ids: string[]; total: number }> {
  const { hits, total } = await index.search(query);
  return { ids: hits.map((hit) => hit.id), total };
}

async function ids(index: SearchIndex, over: Partial<SearchQuery>): Promise<string[]> {
  return (await answer(index, ask(over))).ids;
}

const day = 86_400_000;

eachDatabase('search index', (name, open) => {
  it('takes batches of any length, long texts among short ones, and the later state of each', async () => {
    const index = await openSearchIndex(await open());
    const long = 'word '.repeat(180_000);
    for (const state of ['first', 'second']) {
      await index.put(
        Array.from({ length: 47 }, (_, i) =>
          entry(`e${i}`, { body: `${state} number${i} ${i === 20 ? long : ''}`, modified: i }),
        ),
      );
      expect((await answer(index, ask({ body: state }))).total).toBe(47);
      for (const i of [0, 20, 31, 32, 46]) expect(await ids(index, { body: `${state} number${i}` })).toEqual([`e${i}`]);
    }
    expect((await answer(index, ask({ body: 'first' }))).total).toBe(0);
    await index.close();
  });

  it('finds another form of a word in the title of what the body is searched for', async () => {
    const index = await openSearchIndex(await open());
    await index.put([entry('shoes', { title: 'Runs in old shoes', body: 'A fox.' })]);
    expect(await ids(index, { title: 'running shoes', body: 'fox' })).toEqual(['shoes']);
    expect(await ids(index, { title: 'walking shoes', body: 'fox' })).toEqual([]);
    await index.close();
  });

  describe('finding', () => {
    let index: SearchIndex;
    beforeAll(async () => {
      index = await openSearchIndex(await open());
      await index.put([
        entry('zh', { title: '企业知识管理', body: '我们在会议上讨论了季度预算和人员安排。' }),
        entry('ja', { title: '議事録', body: '東京タワーで打ち合わせをしました。ｶﾞｲﾄﾞ' }),
        entry('ko', { title: '회의록', body: '서울특별시에서 회의를 했습니다' }),
        entry('fr', { title: 'Résumé du Café', body: 'Ångström naïve STRASSE coöperation' }),
        entry('en', {
          title: 'Release notes',
          headings: 'Known limitations',
          body: 'The quick brown fox. GPT-4模型训练 in 2024',
        }),
        entry('pdf', { body: '⻅⻚⽂字' }),
        entry('nothing', {}),
      ]);
    });
    afterAll(() => index.close());

    it.each([
      ['季度', ['zh']],
      ['预算', ['zh']],
      ['度预', ['zh']],
      ['季度预算', ['zh']],
      ['预算季度', ['zh']],
      ['预', ['zh']],
      ['排', ['zh']],
      ['企 算', ['zh']],
      ['知识 人员', ['zh']],
      ['議', ['ja', 'zh']],
      ['東京', ['ja']],
      ['タワー', ['ja']],
      ['ガイド', ['ja']],
      ['打ち合わせ', ['ja']],
      ['서울', ['ko']],
      ['특별시', ['ko']],
      ['회', ['ko']],
      ['resume', ['fr']],
      ['RÉSUMÉ CAFE', ['fr']],
      ['angstrom', ['fr']],
      ['straße', ['fr']],
      ['ＱＵＩＣＫ', ['en']],
      ['fox brown', ['en']],
      ['"brown fox"', ['en']],
      ['"fox brown"', []],
      ['"4 模型"', ['en']],
      ['"GPT 4 模"', ['en']],
      ['"训练 in"', ['en']],
      ['"训 in"', []],
      ['“quick brown”', ['en']],
      ['notes fox limitations', ['en']],
      ['"notes Known"', []],
      ['"limitations The"', []],
      ['见页', ['pdf']],
      ['文字', ['pdf']],
      ['absent', []],
      ['quick absent', ['en']],
      ['!?', []],
      ["' OR 1=1 --", []],
      ['NOT fox', ['en']],
      ['the', ['en']],
      ['not the', []],
      ['GPT4', ['en']],
      ['GPT-4', ['en']],
      ['GPT 4', ['en']],
      ['GPT-5', []],
      ['GPT4模型', ['en']],
      ['4模型', ['en']],
      ['3模型', []],
      ['limitation', ['en']],
      ['limited', ['en']],
      ['releasing note', ['en']],
      ['2024', ['en']],
      ['fox*', ['en']],
    ])('%s', async (query, expected) => {
      const found = await answer(index, ask({ anywhere: query }));
      expect(found).toEqual({ ids: expected, total: expected.length });
      expect(await ids(index, { anywhere: query, order: 'rank' })).toEqual(expected);
    });

    it('looks in the title only, in headings and body only, or in both', async () => {
      expect(await ids(index, { title: '知识' })).toEqual(['zh']);
      expect(await ids(index, { title: '预算' })).toEqual([]);
      expect(await ids(index, { body: '知识' })).toEqual([]);
      expect(await ids(index, { body: '季度预算' })).toEqual(['zh']);
      expect(await ids(index, { body: 'limitations' })).toEqual(['en']);
      expect(await ids(index, { title: '企业知识', body: '预算' })).toEqual(['zh']);
      expect(await ids(index, { title: 'notes', body: '预算' })).toEqual([]);
      expect(await ids(index, { title: '"release notes"', body: '"quick brown"', anywhere: 'fox' })).toEqual(['en']);
    });

    it('takes an empty part for no condition', async () => {
      expect((await answer(index, ask({ title: ' ', body: '' }))).total).toBe(7);
      expect(await ids(index, { title: '', body: '预算' })).toEqual(['zh']);
    });

    it('finds nothing for no owner, an unknown owner, an unknown space', async () => {
      expect(await answer(index, ask({ owners: [] }))).toEqual({ ids: [], total: 0 });
      expect(await answer(index, ask({ owners: ['bob'], anywhere: 'fox' }))).toEqual({ ids: [], total: 0 });
      expect(await answer(index, ask({ space: 'sheet', anywhere: 'fox' }))).toEqual({ ids: [], total: 0 });
      expect(await answer(index, ask({ space: 'sheet' }))).toEqual({ ids: [], total: 0 });
    });

    it('takes a query of any length', async () => {
      expect(await ids(index, { anywhere: 'fox '.repeat(10_000) })).toEqual(['en']);
      expect(await ids(index, { anywhere: Array.from({ length: 1000 }, (_, i) => `w${i}`).join(' ') })).toEqual([]);
      expect(await ids(index, { anywhere: '字'.repeat(10_000) })).toEqual([]);
    });
  });

  describe('ranking and order', () => {
    let index: SearchIndex;
    beforeAll(async () => {
      index = await openSearchIndex(await open());
      await index.put([
        entry('body-words', { body: 'green apple pie and blue tea', modified: 9 * day }),
        entry('body-phrase', { body: 'we had green tea', modified: 1 * day }),
        entry('heading-words', { headings: 'tea, mostly green', modified: 2 * day }),
        entry('heading-phrase', { headings: 'green tea', modified: 2 * day }),
        entry('title-words', { title: 'Tea: green or black', modified: 3 * day }),
        entry('title-phrase-b', { title: 'Green tea', modified: 4 * day }),
        entry('title-phrase-a', { title: 'Green tea', modified: 4 * day }),
        entry('title-phrase-new', { title: 'On green tea', modified: 5 * day }),
        entry('split', { title: 'green', body: 'tea', modified: 8 * day }),
        entry('other', { body: 'coffee', modified: 10 * day }),
      ]);
    });
    afterAll(() => index.close());

    it('ranks what is found in titles above headings above body, short above long, then the latest, then by id', async () => {
      expect(await answer(index, ask({ anywhere: 'green tea', order: 'rank' }))).toEqual({
        ids: [
          'title-phrase-a',
          'title-phrase-b',
          'title-phrase-new',
          'title-words',
          'heading-phrase',
          'split',
          'heading-words',
          'body-phrase',
          'body-words',
        ],
        total: 9,
      });
    });

    it('ranks a single word, and an empty query by time', async () => {
      expect(await ids(index, { anywhere: 'tea', order: 'rank', limit: 6 })).toEqual([
        'title-phrase-a',
        'title-phrase-b',
        'title-phrase-new',
        'title-words',
        'heading-phrase',
        'heading-words',
      ]);
      expect(await ids(index, { order: 'rank', limit: 2 })).toEqual(['other', 'body-words']);
    });

    it('ranks what is looked for in one part', async () => {
      expect(await ids(index, { body: 'green tea', order: 'rank' })).toEqual([
        'heading-phrase',
        'heading-words',
        'body-phrase',
        'body-words',
        'split',
      ]);
      expect(await ids(index, { title: 'green tea', order: 'rank' })).toEqual([
        'title-phrase-a',
        'title-phrase-b',
        'title-phrase-new',
        'title-words',
        'split',
      ]);
    });

    it('pages through ranks without a gap or a repetition', async () => {
      const all = await ids(index, { anywhere: 'green tea', order: 'rank' });
      for (const limit of [1, 2, 4]) {
        const paged: string[] = [];
        for (let offset = 0; offset < all.length; offset += limit)
          paged.push(...(await ids(index, { anywhere: 'green tea', order: 'rank', offset, limit })));
        expect(paged).toEqual(all);
      }
      expect(await answer(index, ask({ anywhere: 'green tea', order: 'rank', offset: 9 }))).toEqual({
        ids: [],
        total: 9,
      });
      expect(await answer(index, ask({ anywhere: 'tea', limit: 0 }))).toEqual({ ids: [], total: 9 });
    });

    it('has four orders more, ties broken by id', async () => {
      await index.put([
        entry('b', { space: 'wiki', body: 'x', created: 3, modified: 1, titleKey: 'beta', size: 5 }),
        entry('a', { space: 'wiki', body: 'x', created: 3, modified: 1, titleKey: 'beta', size: 5 }),
        entry('c', { space: 'wiki', body: 'x', created: 1, modified: 3, titleKey: '阿', size: 9 }),
        entry('d', { space: 'wiki', body: 'x', created: 2, modified: 2, titleKey: 'Zeta', size: 7 }),
        entry('e', { space: 'wiki', body: 'x', created: 9, modified: 9, titleKey: '𠀀', size: 1 }),
      ]);
      for (const anywhere of ['x', '']) {
        expect(await ids(index, { space: 'wiki', anywhere, order: 'modified' })).toEqual(['e', 'c', 'd', 'a', 'b']);
        expect(await ids(index, { space: 'wiki', anywhere, order: 'created' })).toEqual(['e', 'a', 'b', 'd', 'c']);
        expect(await ids(index, { space: 'wiki', anywhere, order: 'title' })).toEqual(['d', 'a', 'b', 'c', 'e']);
        expect(await ids(index, { space: 'wiki', anywhere, order: 'size' })).toEqual(['c', 'd', 'a', 'b', 'e']);
        expect(await answer(index, ask({ space: 'wiki', anywhere, order: 'size', offset: 1, limit: 2 }))).toEqual({
          ids: ['d', 'a'],
          total: 5,
        });
      }
    });
  });

  describe('owners, replacing, removing', () => {
    it('shows an owner its own, and several owners theirs in one order', async () => {
      const index = await openSearchIndex(await open());
      await index.put([
        entry('a1', { owner: 'ann', body: 'shared word', modified: 1 }),
        entry('b1', { owner: 'bob', body: 'shared word', modified: 2 }),
        entry('c1', { owner: 'kim & co/日本', body: 'shared word', modified: 3 }),
        entry('a2', { owner: 'ann', body: 'shared other', modified: 4 }),
      ]);
      for (const anywhere of ['shared', '']) {
        expect(await answer(index, ask({ owners: ['ann'], anywhere }))).toEqual({ ids: ['a2', 'a1'], total: 2 });
        expect(await answer(index, ask({ owners: ['bob', 'ann', 'bob', 'nobody'], anywhere }))).toEqual({
          ids: ['a2', 'b1', 'a1'],
          total: 3,
        });
        expect(await answer(index, ask({ owners: ['kim & co/日本'], anywhere }))).toEqual({ ids: ['c1'], total: 1 });
        expect(await answer(index, ask({ owners: ['kim & co/日本', 'ann', 'bob'], anywhere }))).toEqual({
          ids: ['a2', 'c1', 'b1', 'a1'],
          total: 4,
        });
      }
      expect(await ids(index, { owners: ['ann', 'bob'], anywhere: 'word', order: 'rank' })).toEqual(['b1', 'a1']);
      // A change of owner takes the entry away from the first.
      await index.put([entry('a1', { owner: 'bob', body: 'shared word', modified: 1 })]);
      expect(await ids(index, { owners: ['ann'], anywhere: 'shared' })).toEqual(['a2']);
      expect(await ids(index, { owners: ['ann'] })).toEqual(['a2']);
      expect(await ids(index, { owners: ['bob'], anywhere: 'shared' })).toEqual(['b1', 'a1']);
      await index.close();
    });

    it('replaces and removes, in one batch too, and empties a space without touching another', async () => {
      const index = await openSearchIndex(await open());
      await index.put([
        entry('one', { body: 'first' }),
        entry('one', { body: 'second' }),
        entry('two', { body: 'second' }),
        entry('one', { space: 'wiki', body: 'second' }),
      ]);
      expect(await ids(index, { anywhere: 'first' })).toEqual([]);
      expect(await ids(index, { anywhere: 'second' })).toEqual(['one', 'two']);
      await index.put([entry('one', { title: 'third' })]);
      expect(await answer(index, ask({ anywhere: 'second' }))).toEqual({ ids: ['two'], total: 1 });
      expect(await ids(index, { anywhere: 'third' })).toEqual(['one']);
      await index.remove('note', ['one', 'unknown']);
      expect(await answer(index, ask())).toEqual({ ids: ['two'], total: 1 });
      expect(await ids(index, { anywhere: 'third' })).toEqual([]);
      await index.remove('sheet', ['unknown']);
      await index.clear('note');
      expect(await answer(index, ask())).toEqual({ ids: [], total: 0 });
      expect(await ids(index, { anywhere: 'second' })).toEqual([]);
      expect(await ids(index, { space: 'wiki', anywhere: 'second' })).toEqual(['one']);
      await index.put([entry('two', { body: 'second' })]);
      expect(await ids(index, { anywhere: 'second' })).toEqual(['two']);
      await index.put([]);
      await index.remove('note', []);
      await index.close();
    });

    it('takes a text of a mebibyte and finds words and phrases at its end', async () => {
      const index = await openSearchIndex(await open());
      const chinese = Array.from({ length: 350_000 }, (_, i) =>
        String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000)),
      ).join('');
      const words = Array.from({ length: 120_000 }, (_, i) => `w${i.toString(36)}`).join(' ');
      await index.put([
        entry('zh', { body: `${chinese}。最后一句话` }),
        entry('en', { body: `${words} the very end` }),
        entry('same', { body: 'same '.repeat(200_000) }),
      ]);
      expect(await ids(index, { anywhere: '最后一句' })).toEqual(['zh']);
      expect(await ids(index, { anywhere: '"very end"' })).toEqual(['en']);
      expect(await ids(index, { anywhere: '"end very"' })).toEqual([]);
      expect(await ids(index, { anywhere: `w${(119_999).toString(36)}` })).toEqual(['en']);
      expect(await ids(index, { anywhere: '"same same"' })).toEqual(['same']);
      await index.close();
    });

    it('needs a rebuild when new, until told it is done', async () => {
      const database = await open();
      const index = await openSearchIndex(database);
      expect(index.needsRebuild).toBe(true);
      await index.rebuilt();
      expect(index.needsRebuild).toBe(false);
      await index.close();
      if (name === 'postgres') {
        const again = await openSearchIndex(database);
        expect(again.needsRebuild).toBe(false);
        await again.close();
      }
    });
  });

  it('finds in thousands of matches what it finds in few: total, order and paging hold', async () => {
    const index = await openSearchIndex(await open());
    const entries = Array.from({ length: 3000 }, (_, i) =>
      entry(`e${String(i).padStart(4, '0')}`, {
        owner: i % 3 === 0 ? 'bob' : 'ann',
        title: i % 10 === 0 ? 'common title' : '',
        body: `common word${i % 7}`,
        modified: (i * 7919) % 1000,
        titleKey: String((i * 31) % 500),
      }),
    );
    await index.put(entries);
    const own = entries.filter((one) => one.owner === 'ann');
    const byTime = (a: SearchEntry, b: SearchEntry): number => b.modified - a.modified || (a.id < b.id ? -1 : 1);
    const byTitle = (a: SearchEntry, b: SearchEntry): number =>
      a.titleKey < b.titleKey ? -1 : a.titleKey > b.titleKey ? 1 : a.id < b.id ? -1 : 1;
    const names = (list: SearchEntry[]): string[] => list.map((one) => one.id);
    for (const offset of [0, 990, 1995]) {
      const page = { offset, limit: 15 };
      const cut = (list: SearchEntry[]): string[] => names(list).slice(offset, offset + 15);
      expect(await answer(index, ask({ anywhere: 'common', ...page }))).toEqual({
        ids: cut(own.toSorted(byTime)),
        total: 2000,
      });
      expect(await answer(index, ask({ anywhere: 'common', order: 'title', ...page }))).toEqual({
        ids: cut(own.toSorted(byTitle)),
        total: 2000,
      });
      expect(await answer(index, ask({ owners: ['ann', 'bob'], anywhere: 'common', ...page }))).toEqual({
        ids: cut(entries.toSorted(byTime)),
        total: 3000,
      });
      const inTitleFirst = entries.toSorted((a, b) => Number(a.title === '') - Number(b.title === '') || byTime(a, b));
      expect(await answer(index, ask({ owners: ['ann', 'bob'], anywhere: 'common', order: 'rank', ...page }))).toEqual({
        ids: cut(inTitleFirst),
        total: 3000,
      });
      const ranked = own.toSorted((a, b) => Number(a.title === '') - Number(b.title === '') || byTime(a, b));
      expect(await answer(index, ask({ anywhere: 'common', order: 'rank', ...page }))).toEqual({
        ids: cut(ranked),
        total: 2000,
      });
    }
    await index.close();
  });
});

describe('both indexes', () => {
  const found: Record<string, unknown> = {};
  eachDatabase('the same random entries and questions', (name, open) => {
    it('are answered alike', async () => {
      const index = await openSearchIndex(await open());
      const unit = fc.constantFrom('知', '识', '管', '理', 'か', '한', 'gpt ', 'tea ', 'Café ', ' ', '。', 'v2');
      const text = fc.string({ unit, maxLength: 12 });
      const [entries = []] = fc.sample(
        fc.array(
          fc.record({
            title: text,
            headings: text,
            body: text,
            modified: fc.integer({ min: 0, max: 20 }),
            owner: fc.constantFrom('ann', 'bob'),
          }),
          { minLength: 300, maxLength: 300 },
        ),
        { numRuns: 1, seed: 7 },
      );
      const quoted = fc.oneof(
        text,
        text.map((inner) => `"${inner}"`),
        fc.tuple(text, text).map(([a, b]) => `${a} "${b}"`),
      );
      const questions = fc.sample(
        fc.record({
          anywhere: quoted,
          part: fc.constantFrom('anywhere', 'title', 'body'),
          order: fc.constantFrom('rank', 'modified'),
          owners: fc.constantFrom(['ann'], ['ann', 'bob']),
        }),
        { numRuns: 300, seed: 8 },
      );
      await index.put(entries.map((one, i) => entry(`e${i}`, { ...one, titleKey: one.title })));
      const answers = [];
      for (const { anywhere, part, order, owners } of questions)
        answers.push(await answer(index, ask({ [part]: anywhere, order: order as 'rank', owners })));
      expect(answers.some((answer) => answer.total > 1 && answer.total < 200)).toBe(true);
      found[name] = answers;
      await index.close();
    });
  });
  it('gave the same ids in the same order', () => {
    expect(found['sqlite']).toBeDefined();
    expect(found['postgres']).toEqual(found['sqlite']);
  });
});

describe('the file of the SQLite index', () => {
  const page = ask({ anywhere: 'fox' });
  const fox = entry('fox', { body: 'fox' });

  it('is kept, and complete, over a restart', async () => {
    const path = join(await temporaryFolder(), 'deep', 'search.db');
    const reasons: string[] = [];
    const options = { path, worker: searchWorker, onReplaced: (reason: string) => reasons.push(reason) };
    const first = await SqliteSearchIndex.open(options);
    expect(first.needsRebuild).toBe(true);
    await first.put([fox]);
    await first.rebuilt();
    await first.close();
    const second = await SqliteSearchIndex.open(options);
    expect(second.needsRebuild).toBe(false);
    expect(await answer(second, page)).toEqual({ ids: ['fox'], total: 1 });
    await second.close();
    expect(reasons).toEqual([]);
  });

  it('is tidied when nothing is asked, and finds the same', async () => {
    const path = join(await temporaryFolder(), 'search.db');
    const index = await SqliteSearchIndex.open({ path, worker: searchWorker });
    for (let n = 0; n < 30; n++)
      await index.put([
        entry(`n${String(n).padStart(2, '0')}`, { body: `fox ${n}`, title: n % 10 === 0 ? 'the fox' : '' }),
      ]);
    await index.remove('note', ['n03']);
    const before = await answer(index, ask({ anywhere: 'fox', order: 'rank' }));
    const db = new DatabaseSync(path, { readOnly: true });
    const pieces = (): number => (db.prepare('SELECT count(*) AS n FROM segment').get() as { n: number }).n;
    for (let turn = 0; turn < 500 && pieces() > 3; turn++) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(pieces()).toBeLessThanOrEqual(3);
    db.close();
    expect(before).toMatchObject({ total: 29 });
    expect(before.ids.slice(0, 4)).toEqual(['n00', 'n10', 'n20', 'n01']);
    expect(await answer(index, ask({ anywhere: 'fox', order: 'rank' }))).toEqual(before);
    await index.close();
  });

  it('is replaced by an empty one, and says so, when it is not a database', async () => {
    const path = join(await temporaryFolder(), 'search.db');
    await writeFile(path, 'not a database '.repeat(1000));
    const reasons: string[] = [];
    const index = await SqliteSearchIndex.open({
      path,
      worker: searchWorker,
      onReplaced: (reason) => reasons.push(reason),
    });
    expect(reasons).toEqual(['file is not a database']);
    expect(index.needsRebuild).toBe(true);
    expect(await answer(index, page)).toEqual({ ids: [], total: 0 });
    await index.put([fox]);
    expect(await answer(index, page)).toEqual({ ids: ['fox'], total: 1 });
    await index.close();
  });

  it('is replaced when damage shows later, in a read or in a write', async () => {
    for (const meet of ['read', 'write'] as const) {
      const path = join(await temporaryFolder(), 'search.db');
      const first = await SqliteSearchIndex.open({ path, worker: searchWorker });
      await first.put(Array.from({ length: 500 }, (_, i) => entry(`n${i}`, { body: `fox word${i}` })));
      await first.rebuilt();
      await first.close();
      // All but the first page, which says what kind of file it is.
      const size = (await readFile(path)).length;
      const file = await openFile(path, 'r+');
      await file.write(Buffer.alloc(size - 8192, 0xee), 0, size - 8192, 8192);
      await file.close();
      const reasons: string[] = [];
      const index = await SqliteSearchIndex.open({
        path,
        worker: searchWorker,
        onReplaced: (reason) => reasons.push(reason),
      });
      if (meet === 'write') await index.put([fox]);
      else expect(await answer(index, page)).toEqual({ ids: [], total: 0 });
      expect(reasons).toHaveLength(1);
      expect(index.needsRebuild).toBe(true);
      await index.put([fox]);
      expect(await answer(index, page)).toEqual({ ids: ['fox'], total: 1 });
      await index.close();
    }
  });
});
