import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toBlocks } from '../../../src/modules/note/markdown/blocks.ts';
import { BoundedLexer } from '../../../src/modules/note/markdown/bounded-lexer.ts';
import { scanPlainBlocks } from '../../../src/modules/note/markdown/plain-blocks.ts';

/** Pieces, each ended by a middle dot. */
const split = (list: string): string[] => list.split('·');
const blockSyntax = split('# ·## ·#·####### ·- ·-·--·---·+ ·1. ·1) ·12·=·==·:·:-·|·> ·>');
const inlineSyntax = split('*·_·**·`·[·]·[x]·!·![·<·<b>·&·&amp;·~·\\·@·www.·http://·http:');
const space = split('\n·\n·\n·\n\n·\n\n· ·  ·\t·\r\n·\r·\f·\v·\u00a0·\u2028·\ufeff·\0');
const words = split('a·word·Two words·x.·y)·"q"·\'s·(p)·$·%·^·;·/·{·}·,·?·.·字·é·😀·𝒳');
const pieces = fc.constantFrom(...blockSyntax, ...inlineSyntax, ...space, ...words);
const line = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('# Title', '## Part', 'Some words.', 'More words', '- one', '- two', '', ''),
  },
  { weight: 1, arbitrary: fc.array(pieces, { maxLength: 5 }).map((parts) => parts.join('')) },
);
const text = fc.oneof(
  fc.array(line, { maxLength: 10 }).map((lines) => lines.join('\n')),
  fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

test('[finding Q20] what the scanner parses without the lexer has the blocks that the lexer finds', () => {
  let scanned = 0;
  let left = 0;
  fc.assert(
    fc.property(text, (markdown) => {
      const blocks = scanPlainBlocks(markdown);
      if (blocks) scanned++;
      else left++;
      if (blocks) expect(blocks).toEqual(toBlocks(new BoundedLexer(20_000_000).lex(markdown)));
    }),
    { numRuns: 20_000 },
  );
  // Both happen often, so the comparison says something.
  expect(Math.min(scanned, left)).toBeGreaterThan(1000);
});

test('[finding Q20] headings, paragraphs and flat lists need no lexer; inline syntax does', () => {
  expect(scanPlainBlocks('# Shopping\n\nFor the week:\nall of it\n\n- milk\n- bread\n\nDone.')).toHaveLength(4);
  expect(scanPlainBlocks('# Note 1\n\nSome words about the thing numbered 1.')).toHaveLength(2);
  expect(scanPlainBlocks('')).toEqual([]);
  for (const other of ['**bold**', 'a  \nb', '- a\nb', '- a\n\n- b', 'Title\n---', '1. one', '[a](b)', 'a@b.example'])
    expect([other, scanPlainBlocks(other)]).toEqual([other, undefined]);
});
