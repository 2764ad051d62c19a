import { DatabaseSync } from '@photostructure/sqlite';
import fc from 'fast-check';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rankKeys, stretchOf } from '../../src/adapters/search/best.ts';
import { ascendingNumbers, firstListOf } from '../../src/adapters/search/numbers.ts';
import { SqliteSearchIndex } from '../../src/adapters/search/sqlite.ts';
import type { SearchEntry, SearchQuery } from '../../src/ports/search-index.ts';
import { searchWorker } from '../support/search.ts';
import { temporaryFolder } from '../support/temp.ts';

describe('numbers of matches', () => {
  it.each([
    ['', []],
    ['0', [0]],
    ['7,12', [7, 12]],
    ['4294967297,4294967298,9007199254740991', [4294967297, 4294967298, 9007199254740991]],
    ['123456789,1234567890,12345678901', [123456789, 1234567890, 12345678901]],
    ['10,9,8589934593,1', [1, 9, 10, 8589934593]],
  ])('%j are %j', (text, expected) => {
    expect([...ascendingNumbers(text)]).toEqual(expected);
  });

  it('are read back whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeNat(), { minLength: 1 }), (list) => {
        expect([...ascendingNumbers(list.join(','))]).toEqual(list.toSorted((a, b) => a - b));
      }),
    );
  });

  it('belong to the first list that holds them', () => {
    const lists = [Float64Array.of(2, 9), Float64Array.of(1, 2, 3, 8), Float64Array.of()];
    expect([...firstListOf(Float64Array.of(1, 2, 4, 8), lists)]).toEqual([1, 0, 3, 1]);
    expect([...firstListOf(Float64Array.of(5), [])]).toEqual([0]);
  });
});

describe('what can stand on a page', () => {
  it('is all of it and all that ties with it, with how many to leave out', () => {
    expect(stretchOf(Float64Array.of(5, 1, 3, 3, 3, 9), 1, 2)).toEqual({ places: [2, 3, 4], skip: 0 });
    expect(stretchOf(Float64Array.of(5, 1, 3, 3, 3, 9), 2, 2)).toEqual({ places: [2, 3, 4], skip: 1 });
    expect(stretchOf(Float64Array.of(5, 1), 2, 2)).toEqual({ places: [], skip: 0 });
    expect(stretchOf(Float64Array.of(5, 1), 0, 0)).toEqual({ places: [], skip: 0 });
  });

  it('holds what sorting everything would give, for every page', () => {
    const keys = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 200 });
    fc.assert(
      fc.property(keys, fc.nat(100), fc.nat(100), (list, offset, limit) => {
        const { places, skip } = stretchOf(Float64Array.from(list), offset, limit);
        const page = places
          .map((place) => list[place] ?? -1)
          .toSorted((a, b) => a - b)
          .slice(skip, skip + limit);
        expect(page).toEqual(list.toSorted((a, b) => a - b).slice(offset, offset + limit));
      }),
    );
  });

  it('is best when in an earlier tier, then when later', () => {
    const year = 31_536_000_000;
    const keys = rankKeys(
      Uint8Array.of(0, 0, 1, 6, 6),
      Float64Array.of(0, 90 * year, 90 * year, 90 * year, 90 * year - 1),
    );
    expect([...keys.keys()].toSorted((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0))).toEqual([1, 0, 2, 3, 4]);
  });
});

describe('the column of times', () => {
  const entry = (id: string, modified: number, owner = 'ann'): SearchEntry => ({
    space: 'note',
    id,
    owner,
    title: '',
    headings: '',
    body: 'fox',
    created: 1,
    modified,
    titleKey: '',
    size: 0,
  });
  const page = (over: Partial<SearchQuery> = {}): SearchQuery => ({
    space: 'note',
    owners: ['ann'],
    anywhere: 'fox',
    order: 'rank',
    offset: 0,
    limit: 4,
    ...over,
  });

  it('follows every change while a reader keeps what it has read', async () => {
    const path = join(await temporaryFolder(), 'search.db');
    const index = await SqliteSearchIndex.open({ path, worker: searchWorker });
    await index.put(Array.from({ length: 1200 }, (_, i) => entry(`e${i}`, i)));
    expect(await index.search(page())).toEqual({ ids: ['e1199', 'e1198', 'e1197', 'e1196'], total: 1200 });
    await index.put([entry('e0', 5000), entry('e700', 4000), entry('b0', 9000, 'bob')]);
    expect(await index.search(page())).toEqual({ ids: ['e0', 'e700', 'e1199', 'e1198'], total: 1200 });
    expect(await index.search(page({ owners: ['ann', 'bob'] }))).toMatchObject({
      ids: ['b0', 'e0', 'e700', 'e1199'],
      total: 1201,
    });
    await index.put([entry('e0', -1)]);
    expect(await index.search(page({ order: 'modified' }))).toMatchObject({ ids: ['e700', 'e1199', 'e1198', 'e1197'] });
    expect(await index.search(page({ offset: 1199 }))).toMatchObject({ ids: ['e0'] });
    await index.clear('note');
    await index.put([entry('e1', 7), entry('e2', 8)]);
    expect(await index.search(page())).toEqual({ ids: ['e2', 'e1'], total: 2 });
    await index.close();
  });

  it('keeps no piece of which nothing is left', async () => {
    const path = join(await temporaryFolder(), 'search.db');
    const index = await SqliteSearchIndex.open({ path, worker: searchWorker });
    for (let turn = 0; turn < 8; turn++)
      await index.put(Array.from({ length: 300 }, (_, i) => entry(`e${i}`, turn * 1000 + i)));
    const db = new DatabaseSync(path, { readOnly: true });
    // 2400 numbers were given, the last 300 are in use: all in one piece of five hundred.
    expect(db.prepare('SELECT count(*) AS pieces FROM times_note').get()).toMatchObject({ pieces: 1 });
    await index.remove(
      'note',
      Array.from({ length: 300 }, (_, i) => `e${i}`),
    );
    expect(db.prepare('SELECT count(*) AS pieces FROM times_note').get()).toMatchObject({ pieces: 0 });
    db.close();
    await index.close();
  });
});
