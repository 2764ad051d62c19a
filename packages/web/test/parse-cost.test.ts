import { describe, expect, test } from 'vitest';
import { stripActiveAttributes } from '../src/features/notes/strip-active-attributes.ts';
import { isCheapToParse } from '../src/features/notes/parse-cost.ts';
import { isLossless } from '@sheaf/markdown/lossless';

describe('Markdown that is surely quick', () => {
  test('[finding R3] what people write is, also where it is long', () => {
    expect(isCheapToParse('')).toBe(true);
    const prose = `${'A sentence about the weather and what grows by the mill, with *one* [link](https://example.com/). '.repeat(5)}\n\n`;
    const list = `${Array.from({ length: 20 }, (_, index) => `- [ ] item ${index} with **words**`).join('\n')}\n\n`;
    expect(isCheapToParse(`# Heading\n\n${prose.repeat(40)}${list.repeat(3)}`)).toBe(true);
  });

  test.each([
    ['a list that is continued lazily', `- a\n${'b\n'.repeat(8000)}`],
    ['the same in many small lists', '- a\nb\n'.repeat(10_000)],
    ['a loose list of tasks', '- [ ] a\n\n'.repeat(4000)],
    ['a page of HTML', '<b>a</b>\n\n'.repeat(500)],
    ['emphasis within emphasis', '*a_'.repeat(2000)],
    ['brackets', '['.repeat(20_000)],
    ['quotes within quotes', '> '.repeat(2000)],
    ['lists within lists', Array.from({ length: 100 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n')],
    ['one endless paragraph', 'word '.repeat(40_000)],
    ['a book of headings', '# a\n\n'.repeat(40_000)],
  ])('[finding R3] %s is not', (_name, markdown) => {
    expect(isCheapToParse(markdown)).toBe(false);
  });
});

describe('raw HTML that asks for nothing', () => {
  test('handlers, styles and documents are taken out, however they are written', () => {
    expect(stripActiveAttributes('<img src="a" onerror="x">')).toBe('<img src="a" >');
    expect(stripActiveAttributes("<a style='x'onclick=y href=z>")).toBe('<a  href=z>');
    expect(stripActiveAttributes('<svg/onload=x>')).toBe('<svg >');
    expect(stripActiveAttributes('<iframe srcdoc="<b>"')).not.toContain('srcdoc');
    expect(stripActiveAttributes('<a title="b>c" onclick=d>')).toBe('<a title="b>c" >');
    expect(stripActiveAttributes('1 < 2 and style = fine')).toBe('1 < 2 and style = fine');
  });

  test.each([
    ['white space', `<a ${' '.repeat(200_000)}`],
    ['attributes', `<a ${'onx=1 '.repeat(40_000)}`],
    ['attributes without white space', `<a ${'style="" '.trim().repeat(40_000)}`],
    ['beginnings', '<a '.repeat(80_000)],
    ['quotes', '<a"'.repeat(80_000)],
  ])('[finding R3] many of them take no time: %s', (_name, html) => {
    const started = performance.now();
    stripActiveAttributes(html);
    // With quadratic behavior this took minutes.
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test('[finding R3] nor do empty lines when a text is compared with what the editor made of it', () => {
    const started = performance.now();
    expect(isLossless('\n'.repeat(500_000), '')).toBe(true);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
