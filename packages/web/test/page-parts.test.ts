import { describe, expect, test } from 'vitest';
import { tokenizeCode } from '../src/features/notes/syntax-tokenizer.ts';
import { diffLines } from '../src/features/notes/line-diff.ts';
import { arrangeRecents, missingIds } from '../src/features/home/arrange-recents.ts';
import { changesFromAudit, startOfYesterday } from '../src/features/home/audit-changes.ts';
import { plainExcerpt } from '../src/lib/format.ts';
import { bestLine } from '../src/features/search/best-line.ts';

describe('the parts of the page that need no browser', () => {
  test('a diff tells what was removed before what was added, and folds what stayed', () => {
    const shown = (before: string, after: string): string[] =>
      diffLines(before, after).map(({ kind, text }) => `${kind} ${text}`);
    expect(shown('', 'a')).toEqual(['added a']);
    expect(shown('a', '')).toEqual(['removed a']);
    expect(shown('a\nb\nc', 'a\nx\nc')).toEqual(['same a', 'removed b', 'added x', 'same c']);
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    expect(shown(lines.join('\n'), [...lines, 'end'].join('\n'))).toEqual([
      'folded 17',
      'same line 17',
      'same line 18',
      'same line 19',
      'added end',
    ]);
    expect(shown('same', 'same')).toEqual(['same same']);
  });

  test('[finding P18] excerpts of notes are plain text', () => {
    expect(plainExcerpt('- [ ] call [[Ann Lee|Ann]] (https://example.com/a_b) - [x] rest')).toBe('call Ann rest');
    expect(plainExcerpt('> said by Bob (/notes/note_1) and [[Plan#Costs]]')).toBe('said by Bob and Plan#Costs');
    expect(plainExcerpt('a | b | c --- 1. one (2) - two')).toBe('a · b · c 1. one (2) - two');
    expect(plainExcerpt('cut in a link (https://exam…')).toBe('cut in a link');
  });

  test('code is colored by the language that is named, and not otherwise', () => {
    const colors = (code: string, language?: string): string[] =>
      tokenizeCode(code, language).map(({ from, to, kind }) => `${kind} ${code.slice(from, to)}`);
    expect(colors('if (n > 10) return "a // b"; // why', 'ts')).toEqual([
      'keyword if',
      'number 10',
      'keyword return',
      'string "a // b"',
      'comment // why',
    ]);
    expect(colors("x = 'open # not\n# yes", 'python')).toEqual(["string 'open # not", 'comment # yes']);
    expect(colors('SELECT a FROM t -- all', 'sql')).toEqual(['keyword SELECT', 'keyword FROM', 'comment -- all']);
    expect(colors('if true')).toEqual([]);
    expect(colors('if true', 'constructor')).toEqual([]);
    expect(colors('/* never closed', 'js')).toEqual(['comment /* never closed']);
  });

  test('what changed is told once a thing and doer; what others changed is told too', () => {
    const row = (at: number, operation: string, target: string, key_id = 'session_1') => ({
      at,
      operation,
      target,
      key_id,
    });
    const changes = changesFromAudit(
      [
        row(90_000, 'note.update_note', 'note_a', 'key_1'),
        row(80_000, 'note.update_note', 'note_a'),
        row(70_000, 'note.update_note', 'note_a', 'key_1'),
        row(60_000, 'account.create_key', 'key_1'),
        row(50_000, 'wiki.delete_knowledge', 'kb_a'),
        row(40_000, 'wiki.upload_knowledge', 'media_gone'),
        row(10, 'note.update_note', 'note_old'),
      ],
      [{ kind: 'sheet', id: 'doc_a', title: 'Shared', about: '', time: 95_000 }],
      1000,
    );
    expect(changes.map(({ id, by, count }) => [id, by, count])).toEqual([
      ['doc_a', 'others', 0],
      ['note_a', 'key_1', 2],
      ['note_a', 'me', 1],
      ['kb_a', 'me', 1],
    ]);
    expect(startOfYesterday(new Date(2026, 0, 1, 8))).toBe(new Date(2025, 11, 31).getTime());
  });

  test('[finding P18] recent things are those of people; what an agent wrote in bulk is one line after them', () => {
    const note = (id: string, time: number) => ({ kind: 'note' as const, id, title: id, about: '', time });
    const write = (target: string, at: number, key_id: string) => ({ target, at, key_id });
    const bulk = [1, 2, 3, 4, 5].map((number) => note(`note_bulk${number}`, 1000 + number));
    const items = [...bulk, note('note_mine', 1100), note('note_theirs', 900), note('note_once', 950)];
    const people = [write('note_mine', 500, 'session_1'), write('note_away', 400, 'session_1')];
    const rows = [
      ...bulk.map(({ id, time }) => write(id, time, 'key_1')),
      write('note_mine', 1100, 'key_1'),
      write('note_once', 950, 'key_2'),
    ];
    const found = arrangeRecents(items, people, { rows, is_end: true });
    expect(found.cards.map(({ id, time }) => [id, time])).toEqual([
      ['note_once', 950],
      ['note_theirs', 900],
      ['note_mine', 500],
    ]);
    expect(found.bulk.map(({ by, count, isAll, items: all }) => [by, count, isAll, all.length])).toEqual([
      ['key_1', 6, true, 5],
    ]);
    expect(missingIds(items, people, 8)).toEqual(['note_away']);
  });

  test('a place is found again by the line with the most of what was found', () => {
    expect(bestLine('Heading\nthe kingfisher\nkingfisher seats', ['kingfisher', 'seats'])).toBe('kingfisher seats');
    expect(bestLine('only\nthis', [])).toBe('only');
  });
});
