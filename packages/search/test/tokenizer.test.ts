import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Matcher } from '../src/query/text-matcher.ts';
import { parseQuery } from '../src/query/parse-query.ts';
import { foldHanUnit } from '../src/analysis/fold-han.ts';
import { stemOf } from '../src/analysis/stem.ts';
import { visitTokens } from '../src/analysis/tokenizer.ts';

/** Placed tokens with their places, then the others. */
function tokensOf(text: string): string {
  const placed: string[] = [];
  const extra: string[] = [];
  visitTokens(text, {
    positioned: (token, place) => placed.push(`${token}@${place}`),
    unpositioned: (token) => extra.push(token),
  });
  return [...placed, ...extra].join(' ');
}

describe('tokens of a text', () => {
  it.each([
    ['Hello, World 42', 'hello@0 world@1 42@2'],
    ['Café NAÏVE', 'cafe@0 naive@1 ¶naiv'],
    ['Straße', 'strasse@0 ¶strass'],
    ['ＦＵＬＬ　ｗｉｄｔｈ', 'full@0 width@1'],
    ['reports reported', 'reports@0 reported@1 ¶report ¶report'],
    ['知识管理', '知识@0 知@0 识管@1 管理@2 理@3 识 管'],
    ['见', '见@0'],
    ['GPT-4', 'gpt@0 4@1 gpt4'],
    ['GPT4', 'gpt4@0 gpt 4'],
    ['iPhone15 Pro', 'iphone15@0 pro@1 iphone ¶iphon 15'],
    ['v1.25', 'v1@0 25@1 v 1 v125'],
    ['2024年报', '2024@0 年报@1 年@1 报@2'],
    ['e-mail to-day', 'e@0 mail@1 to@2 day@3 email ¶dai today ¶todai'],
    ['👍🏽 done', '👍@0 done@1'],
    ['好👍好', '好@0 👍@1 好@2'],
    ['', ''],
  ])('%s', (text, expected) => {
    expect(tokensOf(text)).toBe(expected);
  });

  it.each([
    ['知識管理', '知识管理'],
    ['關於台灣與臺灣的著作', '关于台湾与台湾的着作'],
    ['裏面、裡面', '里面、里面'],
    ['為爲', '为为'],
    ['豈\u{f900}', '岂岂'],
    ['图書', '图书'],
  ])('[finding S16] %s gives the tokens of %s', (traditional, simplified) => {
    expect(tokensOf(traditional)).toBe(tokensOf(simplified));
  });

  it('[finding S16] folding a folded character changes nothing, and particles stay what they are', () => {
    for (let unit = 0; unit < 2 ** 16; unit++) expect(foldHanUnit(foldHanUnit(unit))).toBe(foldHanUnit(unit));
    expect(parseQuery('這個的').terms.map(({ key }) => key)).toEqual(['这个', '个的']);
  });
});

describe('the stem of a word', () => {
  it.each([
    ['reports', 'report'],
    ['reporting', 'report'],
    ['queries', 'queri'],
    ['query', 'queri'],
    ['running', 'run'],
    ['hopping', 'hop'],
    ['hoping', 'hope'],
    ['agreed', 'agre'],
    ['relational', 'relat'],
    ['adoption', 'adopt'],
    ['nation', 'nation'],
    ['hopefulness', 'hope'],
    ['as', 'as'],
    ['gas', 'ga'],
    ['caresses', 'caress'],
    ['sky', 'sky'],
    ['controll', 'control'],
    ['gpt4', 'gpt4'],
    ['知识', '知识'],
  ])('of %s is %s', (word, stem) => {
    expect(stemOf(word)).toBe(stem);
  });
});

describe('words of a question', () => {
  const keys = (question: string): string[] =>
    parseQuery(question).terms.map((unit) => (unit.isMinor === true ? `(${unit.key})` : unit.key));
  it.each([
    ['What is the annual budget?', ['annual', 'budget']],
    ['to be or not', ['to', 'be', 'or', 'not']],
    ['人工智能', ['人工', '工智', '智能', '(人)', '(工)', '(智)', '(能)']],
    ['预算的审批', ['预算', '(算的)', '(的审)', '审批', '(预)', '(算)', '(审)', '(批)']],
    ['的', ['的']],
    ['GPT-4 models', ['GPT-4'.toLowerCase(), 'model']],
    ['2024年报', ['2024年报', '(2024)', '(年)', '(报)']],
    ['2024年中国经济', ['2024年', '年中', '中国', '国经', '经济', '(2024)', '(年)', '(中)', '(国)', '(经)', '(济)']],
    ['서울 날씨', ['서울', '날씨', '(서)', '(울)', '(날)', '(씨)']],
    ['ทะเล', ['ทะ', 'ะเ', 'เล']],
    ['"brown fox" jumps', ['"brown fox"', 'jump']],
    ['!?', []],
  ])('%s', (question, expected) => {
    expect(keys(question)).toEqual(expected);
  });

  it('[finding S15] count less where they are a part of another word: 0.5 a number or particle, 0.3 a character', () => {
    const boosts = parseQuery('2024年的预算').terms.map(({ key, boost = 1 }) => `${key} ${boost}`);
    expect(boosts.join(', ')).toBe('2024年 1, 年的 0.5, 的预 0.5, 预算 1, 2024 0.5, 年 0.3, 预 0.3, 算 0.3');
  });

  it('are at most 48, of a question of any length, and as many parts of words', () => {
    expect(parseQuery('字'.repeat(100_000)).terms.length).toBe(2);
    const many = Array.from({ length: 5000 }, (_, i) => `w${i.toString(36)}x`).join(' ');
    expect(parseQuery(many).terms.length).toBe(48);
  });
});

describe('what is found in a text', () => {
  const finds = (text: string, question: string): boolean => {
    const matcher = new Matcher(question);
    const found = new Set<number>();
    matcher.find(text, ({ term }) => {
      found.add(term);
      return false;
    });
    return matcher.terms.length > 0 && matcher.terms.every((unit, term) => unit.isMinor === true || found.has(term));
  };

  it.each([
    ['[finding S6]', 'our reports', 'report', true],
    ['[finding S6]', 'a report', 'reports', true],
    ['[finding S6]', 'about GPT4', 'GPT-4', true],
    ['[finding S6]', 'about GPT-4', 'GPT4', true],
    ['[finding S6]', 'about GPT 4', 'GPT4', true],
    ['[finding S6]', 'about GPT-5', 'GPT-4', false],
    ['[finding S6]', 'an iPhone15', 'iPhone 15', true],
    ['[finding S6]', 'an iPhone 15', 'iPhone15', true],
    ['[finding S6]', 'an iPhone 14', 'iPhone15', false],
    ['[finding S6]', 'well done 👍', '👍', true],
    ['[finding S5]', '2026年报', '2024年报', false],
    ['[finding S5]', '2024年报', '2024年报', true],
    ['[finding S5]', 'A股行情', 'B股', false],
    ['', '第3章', '第3章', true],
    ['', '第13章', '第3章', false],
  ])('%s %s has %s: %s', (_finding, text, question, expected) => {
    expect(finds(text, question)).toBe(expected);
  });

  it('is every run of characters that stands in it', () => {
    const character = fc.integer({ min: 0x4e00, max: 0x9fff }).map((code) => String.fromCodePoint(code));
    fc.assert(
      fc.property(fc.string({ unit: character, minLength: 2, maxLength: 30 }), fc.nat(), fc.nat(), (text, a, b) => {
        const from = a % text.length;
        const piece = text.slice(from, from + 1 + (b % (text.length - from)));
        expect(finds(text, piece)).toBe(true);
      }),
    );
  });
});
