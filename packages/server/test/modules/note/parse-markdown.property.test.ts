import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cleanTitle,
  maxTitleLength,
  parseBlocks,
  parseHead,
  parseMarkdown,
} from '../../../src/modules/note/parse-markdown.ts';
import { titleSortKey } from '../../../src/lib/sort-key.ts';

/** Text that looks like Markdown far more often than chance would. */
const syntax = fc.constantFrom(
  '#',
  '## ',
  '- ',
  '* ',
  '1. ',
  '> ',
  '```',
  '~~~',
  '|',
  '|-|\n',
  '\n',
  '\n\n',
  '    ',
  '\t',
  '**',
  '_',
  '~~',
  '`',
  '[',
  '](',
  ')',
  '![',
  '<b>',
  '</b>',
  '<!--',
  '-->',
  '&amp;',
  '&#0;',
  '&#x110000;',
  'http://x.example',
  'javascript:',
  '\\',
  '---\n',
  '===\n',
  '[x]: y\n',
  '[^1]: z\n',
  '\r\n',
  '\u0000',
  '\u2028',
  '\ufeff',
  '字',
  'é',
  '😀',
  '👩‍👩‍👧',
  '\u202e',
  'a',
  ' ',
);
const markdown = fc.oneof(
  fc.array(syntax, { maxLength: 60 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(fc.oneof(syntax, fc.string({ unit: 'grapheme', maxLength: 12 })), { maxLength: 40 })
    .map((parts) => parts.join('')),
);
const runs = { numRuns: 2000 };
const noteTitle = (source: string): string => parseHead(source).title;
const asHeading = (title: string): string => `# ${title.replace(/[!-/:-@[-`{-~]/g, (sign) => `\\${sign}`)}`;

describe('any Markdown', () => {
  test('[N96] gives text and JSON and never throws', () => {
    fc.assert(
      fc.property(markdown, (source) => {
        const view = parseMarkdown(source);
        expect(typeof view.text).toBe('string');
        expect(Array.isArray(JSON.parse(view.blocks))).toBe(true);
        parseHead(source);
      }),
      runs,
    );
  });

  test('[N96] every block has a known type and children', () => {
    const known = new Set([
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'p',
      'blockquote',
      'code_block',
      'ul',
      'ol',
      'li',
      'table',
      'hr',
      'image',
    ]);
    const check = (node: any): void => {
      if ('type' in node) expect(known.has(node.type)).toBe(true);
      if ('text' in node) expect(typeof node.text).toBe('string');
      else expect(Array.isArray(node.children)).toBe(true);
      if ('link' in node) expect(node.link.url).not.toMatch(/^\s*(javascript|data|vbscript):/i);
      for (const child of node.children ?? []) check(child);
    };
    fc.assert(
      fc.property(markdown, (source) => {
        for (const block of parseBlocks(source)) check(block);
      }),
      runs,
    );
  });

  test('[N5] the title rule is idempotent: a title written as a heading reads back as itself', () => {
    fc.assert(
      fc.property(markdown, (source) => {
        const title = noteTitle(source);
        expect(cleanTitle(title)).toBe(title);
        expect([...title].length).toBeLessThanOrEqual(maxTitleLength);
        if (title !== '') expect(noteTitle(asHeading(title))).toBe(title);
      }),
      runs,
    );
  });

  test('[N97] words survive: a word between any syntax is in the text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('# ', '- ', '> ', '**', '\n\n', '| ', '1. '), { maxLength: 20 }),
        (parts) => {
          const source = `${parts.join('')}needle针`;
          expect(parseMarkdown(source).text).toContain('needle针');
        },
      ),
      runs,
    );
  });

  test('[N15] title keys sort numbers by value and ignore case and accents', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (a, b) => {
        expect(titleSortKey(`n ${a}`) < titleSortKey(`N ${b}`)).toBe(a < b);
      }),
    );
    expect(titleSortKey('Éa')).toBe(titleSortKey('ea'));
    expect(titleSortKey('００7')).toBe(titleSortKey('7'));
  });
});
