import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextMatcher } from '../src/query/text-matcher.ts';
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
    ['Straße', 'strasse@0 ¶strass ‡stras'],
    ['ＦＵＬＬ　ｗｉｄｔｈ', 'full@0 width@1'],
    ['reports reported', 'reports@0 reported@1 ¶report ‡repor ¶report ‡repor'],
    ['知识管理', '知识@0 知@0 识管@1 管理@2 理@3 识 管'],
    ['见', '见@0'],
    ['GPT-4', 'gpt@0 4@1 gpt4'],
    ['GPT4', 'gpt4@0 gpt 4'],
    ['iPhone15 Pro', 'iphone15@0 pro@1 iphone ¶iphon 15'],
    ['v1.25', 'v1@0 1@0 25@1 v 1 v125 125'],
    ['2024年报', '2024@0 年报@1 年@1 报@2'],
    ['e-mail to-day', 'e@0 mail@1 to@2 day@3 email ¶dai today ¶todai'],
    ['👍🏽 done', '👍@0 done@1'],
    ['好👍好', '好@0 👍@1 好@2'],
    ['', ''],
  ])('%s', (text, expected) => {
    expect(tokensOf(text)).toBe(expected);
  });

  it.each([
    [
      'CrashLoopBackOff',
      'crashloopbackoff@0 ‡crash crash loop back off crashloop crashloopback loopback loopbackoff backoff',
    ],
    ['parseHTTPServer', 'parsehttpserver@0 ¶parsehttpserv ‡parse parse ¶pars http server parsehttp httpserver'],
    ['snake_case', 'snake@0 case@1 snakecase ¶snakecas'],
    ['src/index.ts', 'src@0 index@1 ts@2'],
    ['of 12,450.00', 'of@0 12@1 450@2 00@3 45000 12450'],
    ["1'234'567", '1@0 234@1 567@2 1234567'],
    ['DE89 3704 0044 0532 0130 00', 'de89@0 3704@1 0044@2 0532@3 0130@4 00@5 de 89 de89370400440532013000'],
    ['UserServiceImpl', 'userserviceimpl@0 ‡users user service ¶servic impl userservice ¶userservic serviceimpl'],
    ['1 250 000', '1@0 250@1 000@2 1250000'],
    ['+49 30 1234-567', '49@0 30@1 1234@2 567@3 1234567 49301234567 301234567'],
    ['2019 2020 2021', '2019@0 2020@1 2021@2'],
    ['новостей новости', 'новостеи@0 новости@1 ‡новос ‡новос'],
    ['والكتاب', 'والكتاب@0 ‡كتاب'],
  ])('[finding S17] %s', (text, expected) => {
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
    ['children', 'child'],
    ['criteria', 'criterion'],
    ['women', 'woman'],
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
    ['What is the annual budget?', ['annual', 'budget', '(‡annua)', '(‡budge)']],
    ['to be or not', ['to', 'be', 'or', 'not']],
    ['人工智能', ['人工', '工智', '智能', '(人)', '(工)', '(智)', '(能)']],
    ['预算的审批', ['预算', '(算的)', '(的审)', '审批', '(预)', '(算)', '(审)', '(批)']],
    ['的', ['的']],
    ['GPT-4 models', ['GPT-4'.toLowerCase(), 'model', '(‡model)']],
    ['2024年报', ['2024年报']],
    ['2024年报 预算', ['2024年报', '预算', '(2024)']],
    [
      '明治時代の東京',
      ['明治', '治时', '时代', '(代の)', '(の东)', '东京', '(明)', '(治)', '(时)', '(代)', '(东)', '(京)'],
    ],
    ['りんご', ['りん', 'んご']],
    ['2024年中国经济', ['2024年', '年中', '中国', '国经', '经济', '(2024)', '(年)', '(中)', '(国)', '(经)', '(济)']],
    ['서울 날씨', ['서울', '날씨', '(서)', '(울)', '(날)', '(씨)']],
    ['ทะเล', ['ทะเล']],
    ['แมวกินน้ำ', ['แมว', 'กิน', 'น้ํา', '(แม)', '(มว)', '(วก)', '(กิ)', '(ิน)', '(นน)', '(น้)', '(้ํ)', '(ํา)']],
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
    expect(parseQuery('字'.repeat(100_000)).terms.length).toBe(1);
    const many = Array.from({ length: 5000 }, (_, i) => `w${i.toString(36)}x`).join(' ');
    expect(parseQuery(many).terms.length).toBe(48);
  });
});

describe('what is found in a text', () => {
  const finds = (text: string, question: string): boolean => {
    const matcher = new TextMatcher(question);
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
    ['[finding S17]', 'the children', 'child', true],
    ['[finding S17]', 'a CrashLoopBackOff', 'crash loop back off', true],
    ['[finding S17]', 'a crash loop back off', 'CrashLoopBackOff', true],
    ['[finding S17]', 'paid 12,450.00 in all', '12450', true],
    ['[finding S17]', 'paid 12450 in all', '12,450', true],
    ['[finding S18]', 'paid 12,450.00 in all', '12450.00', true],
    ['[finding S18]', 'paid 12450 in all', '12450.00', true],
    ['[finding S18]', 'version 12450.00.1', '12450.00.1', true],
    ['[finding S17]', 'to DE89 3704 0044 0532 0130 00', 'DE89370400440532013000', true],
    ['[finding S17]', 'to DE89370400440532013000', 'DE89 3704 0044 0532 0130 00', true],
    ['[finding S17]', 'call +49 (30) 1234-567', '+49301234567', true],
    ['[finding S17]', 'call 138 1234 5678', '13812345678', true],
    ['[finding S17]', 'call 415 555 2671', '415-555-2671', true],
    ['[finding S17]', 'paid 12 450,00 € in all', '12450', true],
    ['[finding S17]', 'paid 12,450.75 in all', '12450', true],
    ['[finding S17]', 'paid 12,450 in all', '12,450.75', false],
    ['[finding S17]', 'of 1 250 000 people', '1,250,000', true],
    ['[finding S17]', 'rooms 12 450 and 13 200', '12450', false],
    ['[finding S17]', 'of ₹ 12,34,567', '1234567', true],
    ['[finding S17]', 'call +49 (0)30 901820-17', '+493090182017', true],
    ['[finding S17]', 'call +49 (0)30 901820-17', '030 90182017', true],
    ['[finding S17]', 'call 020 7946 0018', '+44 20 7946 0018', true],
    ['[finding S17]', 'call (415) 555-0132', '+14155550132', true],
    ['[finding S17]', 'call 0086 138 1234 5678', '13812345678', true],
    ['[finding S17]', 'call +44 20 7946 0018', '+45 20 7946 0019', false],
    ['[finding S17]', 'a UserServiceImpl', 'UserService', true],
    ['[finding S17]', 'a UserServiceImpl', 'user-service', true],
    ['[finding S17]', 'see max_retry_count', 'maxretrycount', true],
    ['[finding S17]', 'release v3.14.2 of it', '3.14.2', true],
    ['[finding S17]', 'release v3.14.2 of it', '3.14', true],
    ['[finding S17]', 'release 3.14.2 of it', 'v3.14.2', true],
    ['[finding S17]', 'release v3.14.2 of it', 'v3.15', false],
    ['[finding S17]', 'paid 12,450.50 in all', '12450.5', true],
    ['[finding S17]', 'due on 18.11.2026', '2026-11-18', true],
    ['[finding S17]', 'due on November 18, 2026', '18.11.2026', true],
    ['[finding S17]', 'due on 18th of Nov. 2026', '2026年11月18日', true],
    ['[finding S17]', '于2026年11月18日付款', 'Nov 18 2026', true],
    ['[finding S17]', 'due on 11/18/2026', '2026-11-18', true],
    ['[finding S17]', 'due on 2026-11-19', '18.11.2026', false],
    ['[finding S17]', 'due on 18.11.2025', '18.11.2026', false],
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
