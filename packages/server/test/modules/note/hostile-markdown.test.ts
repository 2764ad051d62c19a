import { describe, expect, test } from 'vitest';
import { parseBlocks, parseHead, parseMarkdown } from '../../../src/modules/note/parse-markdown.ts';
import { hostileMarkdown } from '@sheaf/tools/testing/hostile-notes.ts';

const size = 2 ** 20;
const fill = (piece: string): string => piece.repeat(Math.floor(size / piece.length));

/** Each of these keeps an unbounded reader busy for minutes or overflows its stack; the test's time limit is the check. */
const hostile: Record<string, string> = {
  'unclosed emphasis': fill('**a* '),
  'emphasis in many paragraphs': fill(`${'**a* '.repeat(400)}\n\n`),
  'nested quotes': fill('>'),
  'nested lists': fill('1. '),
  brackets: fill('['),
  'links without an end': fill('[a]('),
  'images without an end': fill('!['),
  'nested links': `${'['.repeat(size / 4)}${'](x)'.repeat(size / 8)}`,
  'code spans of growing length': Array.from({ length: 1400 }, (_, i) => '`'.repeat(i)).join(' '),
  comments: fill('<!-- '),
  tags: fill('<a '),
  'table of one row': fill('|a'),
  headings: fill('# a\n'),
  references: `${fill('[a][b] ').slice(0, size / 2)}\n\n${fill('[b]: c\n').slice(0, size / 2)}`,
  entities: fill('&amp;'),
  'front matter without an end': `---\n${fill('a: b\n')}`,
  spaces: `a${' '.repeat(size)}b`,
  'one deep list': Array.from({ length: 1000 }, (_, i) => `${'  '.repeat(i)}- a`).join('\n'),
  escapes: fill('\\'),
  addresses: fill('http://a.b '),
  'mail addresses': fill('a@a.'),
};

describe('[N98] hostile Markdown of 1 MiB', () => {
  for (const [name, source] of Object.entries(hostile)) {
    test(name, { timeout: 20_000 }, () => {
      const view = parseMarkdown(source);
      expect(Array.isArray(JSON.parse(view.blocks))).toBe(true);
      expect(parseHead(source).title.length).toBeLessThanOrEqual(240);
    });
  }

  test('what is past the limits is kept as it is written', () => {
    expect(parseMarkdown(`${'> '.repeat(500)}deep words`).text).toContain('deep words');
    expect(parseBlocks('**a* '.repeat(20_000) + 'end')).toEqual([
      { type: 'p', children: [{ text: `${'**a* '.repeat(20_000)}end` }] },
    ]);
  });
});

describe('[finding R3] shapes that cost marked the square of their length', () => {
  for (const [name, markdown] of Object.entries(hostileMarkdown)) {
    // Unbounded, the first of these takes half a minute at this length on a quiet machine; the time limit is the check.
    test(`[finding R3] ${name}: the title is found, and no word is lost`, { timeout: 25_000 }, () => {
      const source = `${markdown(64 * 1024)}\n\nlast words`;
      expect(parseHead(source).title).toContain('Words');
      expect(parseMarkdown(source).text).toContain('last words');
    });
  }
});
