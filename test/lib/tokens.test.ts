import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery, tokenize, type Term } from '../../src/lib/tokens.ts';

/** What a full-text index does, in the open: whether the tokens of a text hold all terms of a query. */
function finds(text: string, query: string): boolean {
  const tokens = tokenize(text).split(' ');
  return parseQuery(query).terms.every((term) => holds(tokens, term));
}

function holds(tokens: string[], term: Term): boolean {
  if (term.kind === 'word') return tokens.includes(term.token);
  return tokens.some((_, start) =>
    term.tokens.every((token, i) => {
      const there = tokens[start + i] ?? '';
      return term.open && i === term.tokens.length - 1 ? there.startsWith(token) : there === token;
    }),
  );
}

const hanCharacter = fc.integer({ min: 0x4e00, max: 0x9fff }).map((code) => String.fromCodePoint(code));
const hanText = fc.string({ unit: hanCharacter, minLength: 2, maxLength: 30 });

describe('tokens of a text', () => {
  it.each([
    ['Hello, World 42', 'hello world 42'],
    ['Café NAÏVE Ångström', 'cafe naive angstrom'],
    ['cafe\u0301', 'cafe'],
    ['Straße STRASSE', 'strasse strasse'],
    ['Łódź Ørsted œuvre', 'lodz orsted oeuvre'],
    ['ΟΔΟΣ οδος', 'οδοσ οδοσ'],
    ['ＦＵＬＬ　ｗｉｄｔｈ １２', 'full width 12'],
    ['ﬁnal x²', 'final x2'],
    ['soft\u00adhyphen', 'softhyphen'],
    ['don’t foo_bar v1.2', 'don t foo bar v1 2'],
    ['知识', '知识 识 ¶知 ¶识'],
    ['知识管理。很好', '知识 识管 管理 理 很好 好 ¶知 ¶识 ¶管 ¶理 ¶很 ¶好'],
    ['GPT模型', 'gpt 模型 型 ¶模 ¶型'],
    ['2024年', '2024 年 ¶年'],
    ['食べる', '食べ べる る ¶食 ¶べ ¶る'],
    ['ｶﾞｰ', 'ガー ー ¶ガ ¶ー'],
    ['か\u3099', 'が ¶が'],
    ['한국', '한국 국 ¶한 ¶국'],
    ['\u1112\u1161\u11ab', '한 ¶한'],
    ['⻅⻚', '见页 页 ¶见 ¶页'],
    ['⽂字', '文字 字 ¶文 ¶字'],
    ['𠀀𠀁', '𠀀𠀁 𠀁 ¶𠀀 ¶𠀁'],
    ['葛\u{e0100}城', '葛城 城 ¶葛 ¶城'],
    ['नमस्ते', 'नमस्ते'],
    ['', ''],
    ['!? \n — …', ''],
  ])('%j gives %j', (text, tokens) => {
    expect(tokenize(text)).toBe(tokens);
  });

  it('knows a long word by its first 64 letters', () => {
    expect(tokenize('A'.repeat(1000))).toBe('a'.repeat(64));
    expect(tokenize(`É${'a'.repeat(1000)}`)).toBe(`e${'a'.repeat(63)}`);
  });

  it('never throws and gives no token with a space, a quote or half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const tokens = tokenize(text);
        expect(tokens).not.toMatch(/\p{Cs}/u);
        for (const token of tokens.split(' ')) expect(token).toMatch(/^(|¶?[\p{L}\p{N}\p{M}]+)$/u);
      }),
      { numRuns: 500 },
    );
  });

  it('survives code units in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 }), (codes) => {
        const text = String.fromCharCode(...codes);
        expect(tokenize(text)).not.toMatch(/\p{Cs}/u);
        expect(Array.isArray(parseQuery(text).terms)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('queries', () => {
  it.each<[string, Term[]]>([
    ['', []],
    [
      'Hello world',
      [
        { kind: 'word', token: 'hello' },
        { kind: 'word', token: 'world' },
      ],
    ],
    ['hello Hello', [{ kind: 'word', token: 'hello' }]],
    ['知', [{ kind: 'word', token: '¶知' }]],
    ['知识', [{ kind: 'word', token: '知识' }]],
    ['知识管', [{ kind: 'phrase', tokens: ['知识', '识管'], open: false }]],
    [
      'GPT模型',
      [
        { kind: 'word', token: 'gpt' },
        { kind: 'word', token: '模型' },
      ],
    ],
    ['"hello world"', [{ kind: 'phrase', tokens: ['hello', 'world'], open: false }]],
    ['“训练 GPT”', [{ kind: 'phrase', tokens: ['训练', '练', 'gpt'], open: false }]],
    ['"GPT 模"', [{ kind: 'phrase', tokens: ['gpt', '模'], open: true }]],
    ['"hello', [{ kind: 'word', token: 'hello' }]],
    ['"" a', [{ kind: 'word', token: 'a' }]],
  ])('%j asks for %j', (query, terms) => {
    expect(parseQuery(query).terms).toEqual(terms);
  });

  it('tells asking for nothing from asking for signs only', () => {
    expect(parseQuery('  ')).toEqual({ terms: [], matchesAll: true, phrase: undefined });
    expect(parseQuery('!?')).toEqual({ terms: [], matchesAll: false, phrase: undefined });
  });

  it('has a phrase of the whole query when it is several terms', () => {
    expect(parseQuery('hello world').phrase).toEqual({ kind: 'phrase', tokens: ['hello', 'world'], open: false });
    expect(parseQuery('hello').phrase).toBeUndefined();
    expect(parseQuery('my GPT 模').phrase).toEqual({ kind: 'phrase', tokens: ['my', 'gpt'], open: false });
    expect(parseQuery('GPT 模').phrase).toBeUndefined();
  });

  it('looks at 32 tokens and no more', () => {
    const words = Array.from({ length: 50 }, (_, i) => `w${i}`).join(' ');
    expect(parseQuery(words).terms).toHaveLength(32);
    expect(parseQuery('字'.repeat(100_000)).terms).toEqual([
      { kind: 'phrase', tokens: Array.from({ length: 32 }, () => '字字'), open: false },
    ]);
    expect(parseQuery(`"${'字'.repeat(100_000)}"`).terms[0]).toMatchObject({
      tokens: Array.from({ length: 32 }, () => '字字'),
    });
  });
});

describe('what finds what', () => {
  it('every two characters of a Chinese text find it, and so does every piece and every single one', () => {
    fc.assert(
      fc.property(hanText, fc.string({ maxLength: 5 }), (text, around) => {
        const whole = `${around} ${text} ${around}`;
        const characters = [...text];
        for (let i = 0; i + 1 < characters.length; i++)
          expect(finds(whole, characters.slice(i, i + 2).join(''))).toBe(true);
        for (const character of characters) expect(finds(whole, character)).toBe(true);
        expect(finds(whole, characters.slice(1).join(''))).toBe(true);
        expect(finds(whole, text)).toBe(true);
      }),
    );
  });

  it('every word finds its text in any case and with or without accents', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom(...'abcdexyzéüñç019'), minLength: 1, maxLength: 12 }), {
          minLength: 1,
          maxLength: 8,
        }),
        (words) => {
          const text = words.join(' ');
          for (const word of words) {
            expect(finds(text, word.toUpperCase())).toBe(true);
            expect(finds(text, word.normalize('NFD'))).toBe(true);
            expect(finds(text, word.normalize('NFD').replace(/[\u0300-\u036f]/g, ''))).toBe(true);
          }
          expect(finds(text, `"${text}"`)).toBe(true);
        },
      ),
    );
  });

  it('a text finds itself, quoted or not', () => {
    const pieces = fc.constantFrom('知', '识', '管', 'か', '한', 'gpt', 'V2', '　', ', ', ' ', '。', 'é');
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1, maxLength: 12 }), (parts) => {
        const text = parts.join('');
        expect(finds(text, text)).toBe(true);
        expect(finds(text, `"${text}"`)).toBe(true);
      }),
    );
  });

  it.each([
    ['知识管理', '知管', false],
    ['知识管理', '理知', false],
    ['hello big world', '"hello world"', false],
    ['hello big world', 'world hello', true],
    ['训练 GPT 模型', '"训练 GPT 模"', true],
    ['训练师 GPT', '"训练 GPT"', false],
    ['最后一句', '"句 最"', false],
    ['甲乙丙，甲丁', '"丙 丁"', false],
    ['甲乙丙', '"乙"', true],
    ['kubernetes', 'kube', false],
  ])('%j, asked %j: %s', (text, query, found) => {
    expect(finds(text, query)).toBe(found);
  });
});
