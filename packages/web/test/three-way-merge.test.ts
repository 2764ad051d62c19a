import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeText } from '../src/features/notes/three-way-merge.ts';

describe('merge of two changes of a note', () => {
  test.each([
    ['a change on one side only', 'a\nb\nc', 'a\nB\nc', 'a\nb\nc', 'a\nB\nc', true],
    ['changes of different lines', 'a\nb\nc\nd', 'A\nb\nc\nd', 'a\nb\nc\nD', 'A\nb\nc\nD', true],
    ['an addition at the end and a change at the start', 'a\nb', 'A\nb', 'a\nb\nc', 'A\nb\nc', true],
    ['the same change on both sides', 'a\nb', 'a\nB', 'a\nB', 'a\nB', true],
    ['a removal and a change elsewhere', 'a\nb\nc\nd', 'a\nc\nd', 'a\nb\nc\nD', 'a\nc\nD', true],
    [
      '[finding P12] an addition below the last line, which is being typed',
      'a\nb',
      'a\nbc',
      'a\nb\n\nx',
      'a\nbc\n\nx',
      true,
    ],
    ['[finding P12] the same the other way', 'a\nb', 'a\nb\n\nx', 'a\nbc', 'a\nbc\n\nx', true],
    ['[finding P12] additions at one place', 'a\nb', 'a\nx\nb', 'a\ny\nb', 'a\nx\ny\nb', true],
    ['[finding P12] two new paragraphs at the end', 'a', 'a\n\nx', 'a\n\ny', 'a\n\nx\n\ny', true],
    ['[finding P12] an addition around a line', 'a', 'A', 'x\na\ny', 'x\nA\ny', true],
    ['[finding P12] an addition below a blank line that was dropped', 'a\n', 'A', 'a\n\nx', 'A\n\nx', true],
    ['two changes of one line', 'a\nb\nc', 'a\nmine\nc', 'a\ntheirs\nc', 'a\nmine\ntheirs\nc', false],
    ['a removal of a line that the other changed', 'a\nb\nc', 'a\nc', 'a\nB\nc', 'a\nB\nc', false],
  ])('%s', (_name, base, mine, theirs, text, isClean) => {
    expect(mergeText(base, mine, theirs)).toEqual({ text, isClean });
  });

  test('no line that either side wrote goes missing, whatever they wrote', () => {
    // At least one line, because an empty text has one empty line.
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '', 'e f'), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, lines, (base, mine, theirs) => {
        const merged = mergeText(base.join('\n'), mine.join('\n'), theirs.join('\n')).text.split('\n');
        for (const line of [...mine, ...theirs]) if (!base.includes(line)) expect(merged).toContain(line);
        expect(mergeText(base.join('\n'), mine.join('\n'), base.join('\n'))).toEqual({
          text: mine.join('\n'),
          isClean: true,
        });
        expect(mergeText(base.join('\n'), base.join('\n'), theirs.join('\n'))).toEqual({
          text: theirs.join('\n'),
          isClean: true,
        });
      }),
    );
  });
});
