import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SearchEntry, SearchIndex, SearchHit } from '../../src/ports/search-index.ts';
import { eachDatabase } from '@sheaf/tools/testing/databases.ts';
import { openSearchIndex } from '@sheaf/tools/testing/search-index.ts';

const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', '预算', '会议'];

function entry(id: string, choice: readonly number[], modified: number): SearchEntry {
  return {
    space: 'note',
    id,
    owner: 'ann',
    title: id,
    headings: '',
    body: choice.map((at) => words[at % words.length]).join(' '),
    created: 1,
    modified,
    titleKey: id,
    size: 1,
  };
}

async function page(
  index: SearchIndex,
  anywhere: string,
  after: SearchHit['place'] | undefined,
  limit: number,
): Promise<SearchHit[]> {
  return (await index.search({ space: 'note', owners: ['ann'], anywhere, order: 'rank', after, offset: 0, limit }))
    .hits;
}

eachDatabase('pages of a search', (_name, open) => {
  it('[finding S4] never repeat or skip an unchanged hit, whatever comes, goes or changes between them', async () => {
    const index = await openSearchIndex(await open());
    const text = fc.array(fc.nat(words.length - 1), { minLength: 1, maxLength: 6 });
    const edit = fc.record({ kind: fc.constantFrom('add', 'remove', 'change'), at: fc.nat(39), text });
    const round = fc.record({
      texts: fc.array(text, { minLength: 20, maxLength: 40 }),
      question: fc.uniqueArray(fc.nat(words.length - 1), { minLength: 1, maxLength: 4 }),
      limit: fc.integer({ min: 1, max: 7 }),
      edits: fc.array(fc.array(edit, { maxLength: 5 }), { minLength: 6, maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(round, async ({ texts, question, limit, edits }) => {
        await index.clear('note');
        await index.put(texts.map((choice, i) => entry(`e${i}`, choice, i % 3)));
        const anywhere = question.map((at) => words[at]).join(' ');
        const before = (await page(index, anywhere, undefined, 1000)).map((hit) => hit.id);
        const touched = new Set<string>();
        const seen: string[] = [];
        let after: SearchHit['place'] | undefined;
        for (let turn = 0; turn < 60; turn++) {
          const hits = await page(index, anywhere, after, limit);
          seen.push(...hits.map((hit) => hit.id));
          after = hits.at(-1)?.place;
          if (hits.length < limit) break;
          for (const { kind, at, text: choice } of edits[turn] ?? []) {
            const id = kind === 'add' ? `n${turn}-${at}` : `e${at}`;
            touched.add(id);
            if (kind === 'remove') await index.remove('note', [id]);
            else await index.put([entry(id, choice, at % 3)]);
          }
        }
        const unchanged = (list: string[]): string[] => list.filter((id) => !touched.has(id));
        expect(unchanged(seen)).toEqual(unchanged(before));
      }),
      { numRuns: 15 },
    );
    await index.close();
  }, 120_000);
});
