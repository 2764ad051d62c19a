import { describe, expect, test } from 'vitest';
import { parseMathBlock, parseInlineMath, escapeMath } from '@sheaf/markdown/math-syntax';
import { isCheapToParse } from '../src/features/notes/parse-cost.ts';

describe('formulas in Markdown', () => {
  test.each([
    ['$x$', 'x'],
    ['$a_1 + b_2$, and', 'a_1 + b_2'],
    [String.raw`$\$5$`, String.raw`\$5`],
    ['$a\nb$', 'a\nb'],
    ['$$x + y$$ inside', 'x + y'],
  ])('%s has one', (markdown, tex) => {
    expect(parseInlineMath(markdown)?.tex).toBe(tex);
  });

  test.each(['$5 and $6', '$5-$6', '$ x$', '$x $', '$x', '$$', '$$$', '$20,000 and USD$30,000', String.raw`$x\$`])(
    '%s has none',
    (markdown) => {
      expect(parseInlineMath(markdown)).toBeUndefined();
    },
  );

  test('lines of their own between two signs, none of them blank', () => {
    expect(parseMathBlock('$$\n- a\n= b\n$$\n\nnext')).toMatchObject({
      tex: '\n- a\n= b\n',
      raw: '$$\n- a\n= b\n$$\n\n',
    });
    expect(parseMathBlock('$$\na\n\nb\n$$')).toBeUndefined();
    expect(parseMathBlock('$$a$$ and words')).toBeUndefined();
  });

  test('what is text stays text when it is written, prices without a backslash', () => {
    expect(escapeMath('costs $5 and $6')).toBe('costs $5 and $6');
    expect(escapeMath('a $x$ b')).toBe(String.raw`a \$x$ b`);
    expect(parseInlineMath(escapeMath('$x$').slice(2))).toBeUndefined();
    expect(escapeMath(String.raw`a \$x$ b`)).toBe(String.raw`a \$x$ b`);
  });

  test.each([
    ['signs', '$a '.repeat(10_000)],
    ['pairs of signs', '$$'.repeat(10_000)],
  ])('[finding R3] many %s are tried where nobody waits', (_name, markdown) => {
    expect(isCheapToParse(markdown)).toBe(false);
  });
});
