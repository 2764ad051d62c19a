import { expect, test } from 'vitest';
import { fromHeaderWords, headerText, splitHeader, toHeaderWords } from '../src/features/sheets/print/header-words.ts';
import { pageCssRule } from '../src/features/sheets/print/page-setup.ts';

const text = (key: string): string => key;

test('an ampersand before a letter is no code, in the form and back', () => {
  const part = '&"Arial"&12R&&B &P';
  expect(toHeaderWords(part, text)).toBe('R&B [headerPage]');
  expect(fromHeaderWords('R&B [headerPage]', part, text)).toBe('&"Arial"&12R&&B &P');
  expect(headerText('R&&B&KFF0000 &P', (code) => (code === '&P' ? '7' : undefined))).toBe('R&B 7');
});

test('a color code is not printed', () => {
  expect(splitHeader('&L&KFF0000Red').L).toBe('&KFF0000Red');
  const setup = { margins: { left: 1, right: 1, top: 1, bottom: 1 }, header: '&L&KFF0000Red' };
  expect(pageCssRule(setup as never, { title: 'T', sheet: 'S' })).not.toContain('FF0000');
});
