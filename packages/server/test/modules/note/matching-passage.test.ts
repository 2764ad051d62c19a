import { expect, test } from 'vitest';
import { findMatchingPassage } from '../../../src/modules/note/matching-passage.ts';

test('[N57] a passage is text without markup, also from the middle of a long note', () => {
  expect(findMatchingPassage('# T\n\nsome **bold needle** here', 'needle')).toBe('T some bold <em>needle</em> here');
  const long =
    `${'filler text **x** goes on\n\n'.repeat(500)}before\n\nthe [needle](https://x.example) *itself*\n\n` +
    `after\n\n${'more **y** text\n\n'.repeat(500)}`;
  const found = findMatchingPassage(long, 'needle')!;
  expect(found).toContain('the <em>needle</em> (https://x.example) itself after more y text');
  expect(found.startsWith('…')).toBe(true);
  expect(found.endsWith('…')).toBe(true);
  expect(found).not.toContain('**');
});

test('[N57] a match in a text without any blank line is shown, and characters are not cut in two', () => {
  const found = findMatchingPassage(`${'😀字'.repeat(3000)} needle ${'字😀'.repeat(3000)}`, 'needle')!;
  expect(found).toContain('<em>needle</em>');
  expect(/\p{Surrogate}/u.test(found)).toBe(false);
});

test('[N57] no match, no passage', () => {
  expect(findMatchingPassage('words', 'needle')).toBeUndefined();
});

test('[N57] text without markup is shown as it would be after reading, also with bullets and soft line ends', () => {
  expect(findMatchingPassage('one line\nof needle words\n\n- first\n- second', 'needle')).toBe(
    'one line of <em>needle</em> words - first - second',
  );
  expect(findMatchingPassage('needle heading\n---\n\ntext', 'needle')).toBe('<em>needle</em> heading text');
  expect(findMatchingPassage('needle &amp; thread', 'needle')).toBe('<em>needle</em> &amp; thread');
});
