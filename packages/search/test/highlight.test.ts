import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highlight, highlightPassage } from '../src/passages/highlight.ts';

describe('highlight of a title', () => {
  it.each([
    ['Hello World', 'world', 'Hello <em>World</em>'],
    ['Le Café noir', 'cafe', 'Le <em>Café</em> noir'],
    ['Le cafe\u0301 noir', 'CAFÉ', 'Le <em>cafe\u0301</em> noir'],
    ['ＡＢＣ公司', 'abc', '<em>ＡＢＣ</em>公司'],
    ['ﬁnal', 'final', '<em>ﬁnal</em>'],
    ['企业知识管理系统', '知识', '企业<em>知识</em>管理系统'],
    ['企业知识管理系统', '知识管理', '企业<em>知识管理</em>系统'],
    ['企業知識管理系統', '知识 系统', '企業<em>知識</em>管理<em>系統</em>'],
    ['企业知识管理系统', '知識', '企业<em>知识</em>管理系统'],
    ['企业知识管理系统', '管', '企业知识<em>管</em>理系统'],
    ['企业知识管理系统', '系统 企业', '<em>企业</em>知识管理<em>系统</em>'],
    ['知识识字', '知识 识字', '<em>知识识字</em>'],
    ['知道知识和2024', '企业知识2024年', '知道<em>知识</em>和2024'],
    ['训练 GPT 模型', '"GPT 模"', '训练 <em>GPT 模</em>型'],
    ['hello big world', '"hello world"', 'hello big world'],
    ['⻅面', '见', '<em>⻅</em>面'],
    ['서울특별시', '특별', '서울<em>특별</em>시'],
    ['𠀀𠀁𠀂', '𠀁', '𠀀<em>𠀁</em>𠀂'],
    // [finding S12] The stem of "one" is no other word.
    ['forty-one cranes on one leg', 'forty-one', '<em>forty</em>-<em>one</em> cranes on <em>one</em> leg'],
    ['us and uses', 'use', 'us and <em>uses</em>'],
    ['Hello', '', 'Hello'],
    ['Hello', '!!', 'Hello'],
  ])('%j for %j is %j', (text, query, marked) => {
    expect(highlight(text, query)).toBe(marked);
  });

  it('[T35] escapes all but its own markers', () => {
    expect(highlight('<em><script>alert(1)</script>', 'script')).toBe(
      '&lt;em&gt;&lt;<em>script</em>&gt;alert(1)&lt;/<em>script</em>&gt;',
    );
    expect(highlight('a & b &lt; c', 'lt')).toBe('a &amp; b &amp;<em>lt</em>; c');
    expect(highlightPassage('<em><script>x</script>', 'em')).toBe('&lt;<em>em</em>&gt;&lt;script&gt;x&lt;/script&gt;');
  });

  it('gives the text back when its markers and escapes are undone', () => {
    const pieces = fc.constantFrom(
      '知',
      '识',
      'a',
      'b',
      'é',
      'e\u0301',
      ' ',
      '<em>',
      '</em>',
      '&amp;',
      '𠀀',
      'ﬁ',
      'か\u3099',
    );
    const text = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (content, query) => {
        const undone = highlight(content, query).replaceAll('<em>', '').replaceAll('</em>', '');
        expect(undone.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')).toBe(content);
      }),
    );
  });
});

describe('passage of a body', () => {
  const filler = '这里是一些没有关系的文字，用来填充篇幅。'.repeat(40);

  it('is undefined when nothing is found', () => {
    expect(highlightPassage('Hello world', 'absent')).toBeUndefined();
    expect(highlightPassage('Hello world', '')).toBeUndefined();
    expect(highlightPassage('hello big world', '"hello world"')).toBeUndefined();
  });

  it('is the whole text when that is short', () => {
    expect(highlightPassage('Hello\n\n  wide   world', 'world')).toBe('Hello wide <em>world</em>');
  });

  it('shows about 120 characters around a match in the middle', () => {
    const passage = highlightPassage(`${filler}知识管理很重要。${filler}`, '知识管理') ?? '';
    expect(passage).toContain('<em>知识管理</em>很重要。');
    expect(passage.startsWith('…')).toBe(true);
    expect(passage.endsWith('…')).toBe(true);
    const plain = passage.replace(/<\/?em>|…/g, '');
    expect(plain.length).toBeGreaterThanOrEqual(110);
    expect(plain.length).toBeLessThanOrEqual(145);
  });

  it('prefers the place where all words stand together', () => {
    const text = `alpha ${'x '.repeat(300)} beta ${'y '.repeat(300)} alpha beta ${'z '.repeat(100)}`;
    expect(highlightPassage(text, 'beta alpha')).toContain('<em>alpha</em> <em>beta</em> z');
  });

  it('cuts no word in two', () => {
    const text = `${'international cooperation '.repeat(50)}needle ${'international cooperation '.repeat(50)}`;
    for (const word of (highlightPassage(text, 'needle') ?? '').replace(/<\/?em>|…/g, '').split(' ')) {
      expect(['international', 'cooperation', 'needle']).toContain(word);
    }
  });

  it('marks a match that is longer than the passage', () => {
    const passage = highlightPassage(`before ${'a'.repeat(5000)} after`, 'a'.repeat(5000)) ?? '';
    expect(passage).toContain('<em>aaaa');
    expect(passage.length).toBeLessThan(400);
  });

  it('never throws, marks something and never splits a character', () => {
    const unit = fc.constantFrom('知', '识', 'a', 'é', 'e\u0301', ' ', '<', '𠀀', '한', '\n', 'b', '。');
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 600 }),
        fc.string({ unit, minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 200 }),
        (text, query, length) => {
          const passage = highlightPassage(`${text} ${query}`, query, length);
          if (passage === undefined) {
            expect(query).not.toMatch(/\p{L}/u);
          } else {
            expect(passage).toContain('<em>');
            expect(passage).not.toMatch(/\p{Cs}/u);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('handles a mebibyte of one word, of one character and of accents', () => {
    const size = 1 << 20;
    expect(highlightPassage(`${'b '.repeat(size / 2)}needle`, 'b needle')).toContain('<em>b</em>');
    // A word of nearly every text is not marked beside one that says something.
    expect(highlightPassage(`${'a '.repeat(size / 2)}needle`, 'a needle')).toContain('a a <em>needle</em>');
    expect(highlightPassage(`${'字'.repeat(size / 3)}针`, '字针')).toContain('<em>字针</em>');
    expect(highlightPassage(`e${'\u0301'.repeat(size / 2)} needle`, 'needle')).toContain('<em>needle</em>');
    expect(highlight('字'.repeat(size / 3), '字')).toBe(`<em>${'字'.repeat(size / 3)}</em>`);
  });
});

describe('passage of a long body', () => {
  const words = 'some other words that are of no matter here. ';

  it('is around the word as typed, whole words only', () => {
    const passage =
      highlightPassage(
        `${words.repeat(20)}needless and needlework ${words.repeat(20)}the Needles itself ${words.repeat(20)}`,
        'needle',
      ) ?? '';
    expect(passage).toContain('the <em>Needles</em> itself');
    expect(passage).not.toContain('needless');
  });

  it('finds what only folding finds', () => {
    expect(highlightPassage(`${words.repeat(20)}un café noir ${words.repeat(20)}`, 'cafe')).toContain(
      'un <em>café</em> noir',
    );
    expect(highlightPassage(`${words.repeat(20)}ＡＢＣ公司 ${words.repeat(20)}`, 'abc 公司')).toContain(
      '<em>ＡＢＣ公司</em>',
    );
  });

  it('has all words of the query when they stand together anywhere', () => {
    const passage =
      highlightPassage(`${`red ${words}`.repeat(80)}then red and blue ${words.repeat(20)}`, 'red blue') ?? '';
    expect(passage).toContain('then <em>red</em> and <em>blue</em>');
  });

  it('reads a phrase of characters across the whole of it', () => {
    const filler = '这里是一些没有关系的文字，用来填充篇幅。'.repeat(40);
    expect(highlightPassage(`${filler}知识管理系统很重要。${filler}`, '知识管理系统')).toContain(
      '<em>知识管理系统</em>很重要',
    );
    expect(highlightPassage(`${filler}识${filler}`, '识')).toContain('<em>识</em>');
  });
});
