import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TokenLog } from '../src/index/token-log.ts';
import { visitTokens, type TokenSink } from '../src/analysis/tokenizer.ts';

/** Every row as it would be read back: by token, in the order they came. */
function rowsOf(log: TokenLog): Record<string, string[]> {
  const { starts, documentFields, positions } = log.sorted();
  const rows: [string, string[]][] = log.tokens.map((token, number) => [
    token,
    Array.from({ length: starts[number + 1]! - starts[number]! }, (_, i) => {
      const at = starts[number]! + i;
      return `${documentFields[at]} ${positions[at]}`;
    }),
  ]);
  return Object.fromEntries(rows.sort(([one], [other]) => (one < other ? -1 : 1)));
}

it('knows the tokens of words and characters it has seen, and logs the same as one token after the other', () => {
  // Plain characters beside what joins them, folds to several or to none, and beside characters past one code unit.
  const pieces =
    '年 报 報 知识管理 知識管理 カ が か\u3099 ｶﾞ 한국 \u1112\u1161\u11ab 𠮷 ⼀ ㍻ ไทย reports Naïve GPT-4 iPhone15 v1.25 2024 e-mail - 。 ， \u200b \ufe0f 👍🏽 々 ー';
  const piece = fc.constantFrom(...pieces.split(' '), ' ');
  const texts = fc.array(
    fc.array(piece, { maxLength: 14 }).map((list) => list.join('')),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(texts, (list) => {
      const quick = new TokenLog();
      const slow = new TokenLog();
      const oneByOne: TokenSink = {
        positioned: (token, place) => slow.positioned(token, place),
        unpositioned: (token) => slow.unpositioned(token),
      };
      list.forEach((text, document) => {
        quick.document = slow.document = document;
        expect(visitTokens(text, quick, 3)).toBe(visitTokens(text, oneByOne, 3));
      });
      expect(rowsOf(quick)).toEqual(rowsOf(slow));
    }),
    { numRuns: 600 },
  );
});
