import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeTexts } from '@sheaf/markdown/shared-text';
import { applyEdits, diffTexts, diffWords } from '@sheaf/markdown/text-diff';

describe('edits between two texts', () => {
  test('a change in two places is two edits, and the text between them stays', () => {
    expect(diffTexts('one\ntwo\nthree\n', 'One\ntwo\nthree!\n')).toEqual([
      { at: 0, remove: 1, insert: 'O' },
      { at: 13, remove: 0, insert: '!' },
    ]);
  });

  test('an append is one insertion', () => {
    expect(diffTexts('# List\n- pears', '# List\n- pears\n\n- eggs')).toEqual([
      { at: 14, remove: 0, insert: '\n\n- eggs' },
    ]);
  });

  test('a line that is inserted before a similar one is an insertion of that line', () => {
    expect(diffTexts('a\n- y\n', 'a\n- x\n- y\n')).toEqual([{ at: 2, remove: 0, insert: '- x\n' }]);
  });

  test('the caret decides where a text was inserted or removed', () => {
    expect(diffTexts('<0> a', '<1><0> a', 3)).toEqual([{ at: 0, remove: 0, insert: '<1>' }]);
    expect(diffTexts('<1><0> a', '<1> a', 3)).toEqual([{ at: 3, remove: 3, insert: '' }]);
    expect(diffTexts('a', 'ab', 0)).toEqual([{ at: 1, remove: 0, insert: 'b' }]);
  });

  test('a surrogate pair is replaced as a whole', () => {
    expect(diffTexts('a😀b', 'a😁b')).toEqual([{ at: 1, remove: 2, insert: '😁' }]);
  });

  test('texts that differ in many lines are replaced between their first and last difference', () => {
    const lines = (word: string) => Array.from({ length: 3000 }, (_, index) => `${word} ${index}`).join('\n');
    const [before, after] = [`head\n${lines('a')}\ntail`, `head\n${lines('b')}\ntail`];
    const edits = diffTexts(before, after);
    expect(edits).toHaveLength(1);
    expect(applyEdits(before, edits)).toBe(after);
  });

  test('edits applied to the text give the other text', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '\n', '\r\n', '😀', '😁', 'word ', ''), { maxLength: 60 });
    fc.assert(
      fc.property(text, text, fc.nat({ max: 200 }), (before, after, caret) => {
        const [from, to] = [before.join(''), after.join('')];
        expect(applyEdits(from, diffTexts(from, to))).toBe(to);
        expect(applyEdits(from, diffTexts(from, to, caret))).toBe(to);
        expect(applyEdits(from, diffWords(from, to))).toBe(to);
        expect(applyEdits(from, diffWords(from, to, caret))).toBe(to);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('edits of words', () => {
  test('words of a line that stay are not replaced', () => {
    expect(diffWords('one two three four', 'One two three Four!')).toEqual([
      { at: 0, remove: 1, insert: 'O' },
      { at: 14, remove: 4, insert: 'Four!' },
    ]);
  });

  test('a line with few words in common is replaced as a whole', () => {
    expect(diffWords('the pears are ripe', 'nobody knows what the plums cost')).toHaveLength(1);
  });

  test('large changes are not compared by words', () => {
    const lines = (sign: string) =>
      Array.from({ length: 150 }, (_, line) => `${line} ${sign.repeat(400)} end`).join('\n');
    expect(diffWords(`a\n${lines('[')}\n`, `a\n${lines(']')}\n`)).toHaveLength(1);
  });

  test.each([
    ['two words of one line', 'one two three', 'ONE two three', 'one two THREE', 'ONE two THREE'],
    [
      'cells of a table that both lay out anew',
      '| a    | b   |\n| ---- | --- |\n| pear | tea |',
      '| a | b |\n| --- | --- |\n| ripe pear | tea |',
      '| a    | b         |\n| ---- | --------- |\n| pear | green tea |',
      '| a    | b         |\n| ------------ | --------- |\n| ripe pear | green tea |',
    ],
    ['lines next to each other', '- a\n- b', '- a\n- b x', '- a y\n- b', '- a y\n- b x'],
    ['words of a Chinese line', '我们五月见面', '我们在五月见面', '我们五月见面吧', '我们在五月见面吧'],
  ])('[finding P12] %s: both changes stay whole when they are merged', (_name, base, mine, theirs, merged) => {
    const layout = (text: string): string => text.replace(/-+/g, '-').replace(/ +/g, ' ');
    expect(layout(mergeTexts(base, mine, theirs))).toBe(layout(merged));
    expect(layout(mergeTexts(base, theirs, mine))).toBe(layout(merged));
  });
});
