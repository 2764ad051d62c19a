import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hitWords, parseExcerpt } from '../src/lib/search-excerpt.ts';
import { toUserMessage } from '../src/lib/user-message.ts';
import { stripActiveAttributes } from '../src/features/notes/strip-active-attributes.ts';
import { isLossless } from '@sheaf/markdown/lossless';
import { hmacSha1, sha1Hex } from '../src/features/knowledge/sha1.ts';

describe('passages', () => {
  test("[T35] only the server's own marks are marks; everything else is characters", () => {
    expect(parseExcerpt('a &lt;em&gt; <em>found &amp; kept</em> <script>alert(1)</script>')).toEqual([
      { text: 'a <em> ', found: false },
      { text: 'found & kept', found: true },
      { text: ' <script>alert(1)</script>', found: false },
    ]);
    expect(hitWords('<em>大麦</em> and <em>rye</em>, <em>rye</em>')).toEqual(['大麦', 'rye']);
  });
});

describe('sentences of the server', () => {
  const id = '01hf2q8k7m3n5p7r9s1t3v5w';
  test.each([
    [`file_id: there is no document "doc_${id}"`, 'There is no document'],
    [`note_id: the note "note_${id}" was deleted`, 'The note was deleted'],
    [
      `media_ids[3]: there is no item or folder "kept-by-me" that you may see`,
      'There is no item or folder that you may see',
    ],
    ['sheet_id: there is no sub-sheet "q8k7m3"; there are 2n5p7r (Sheet1), v5w000 (Sheet2)', 'There is no sub-sheet'],
    [
      `calls[0]: drawing_id: there is no chart "c1" on this sub-sheet; there are none`,
      'There is no chart on this sub-sheet',
    ],
    [
      `Sheet1!A1:B2 is protected (protect_${id}); its creator may change it`,
      'Sheet1!A1:B2 is protected; its creator may change it',
    ],
    [`start_row: the region overlaps filter filter_${id}`, 'The region overlaps filter'],
    ['sheet_name: there is no sub-sheet named "Sales"', 'There is no sub-sheet named "Sales"'],
    ['name: a folder "Plans" already exists there', 'A folder "Plans" already exists there'],
  ])('[finding P15] %j is told as %j', (message, told) => {
    expect(toUserMessage(message)).toBe(told);
  });
});

describe('the editor', () => {
  test.each([
    ['* a\n* b', '- a\n- b', true],
    ['1. a\n1. b', '1. a\n2. b', true],
    ['a_b_c  \nd', 'a*b*c\nd', true],
    ['text[^1]\n\n[^1]: note', 'text', false],
    ['<details>hidden</details>', '', false],
  ])('%j written as %j keeps everything: %s', (before, after, expected) => {
    expect(isLossless(before, after)).toBe(expected);
  });
});

describe('raw HTML in Markdown', () => {
  test.each([
    ['<img src=x onerror="window.hurt=1">', '<img src=x >'],
    ["<p onclick='a' style='b' onload=c>text</p>", '<p >text</p>'],
    ['<svg/onload=alert(1)>', '<svg >'],
    ['a < b and onerror="x" in words', 'a < b and onerror="x" in words'],
    ['<a href="https://example.com">kept</a>', '<a href="https://example.com">kept</a>'],
  ])('[T34] %j asks for nothing', (before, after) => {
    expect(stripActiveAttributes(before)).toBe(after);
  });
});

describe("the upload's signature", () => {
  test('SHA-1 and its HMAC are those of everybody', () => {
    expect(sha1Hex('abc')).toBe('a9993e364706816aba3e25717850c26c9cd0d89d');
    expect(hmacSha1('key', 'The quick brown fox jumps over the lazy dog')).toBe(
      'de7c9b85b8b78aa6bc8a7a36f70a90701c9db4d9',
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.string({ maxLength: 100 }), (text, key) => {
        expect(sha1Hex(text)).toBe(createHash('sha1').update(text).digest('hex'));
        expect(hmacSha1(key, text)).toBe(createHmac('sha1', key).update(text).digest('hex'));
      }),
    );
  });
});
