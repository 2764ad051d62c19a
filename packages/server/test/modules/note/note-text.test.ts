import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffText } from '../../../src/modules/note/text/diff-text.ts';
import { editText } from '../../../src/modules/note/text/edit-text.ts';
import { outlineOf } from '../../../src/modules/note/text/outline.ts';
import { replaceText } from '../../../src/modules/note/text/replace-text.ts';
import { scanNote } from '../../../src/modules/note/text/scan-note.ts';
import { setTask } from '../../../src/modules/note/text/tasks.ts';
import { relinkText } from '../../../src/modules/note/text/wiki-links.ts';

const plan = '# Plan\n\nintro\n\n## March\n\n- one\n\n### Detail\n\ndeep\n\n## April\n\nlate\n';

describe('edits of a text', () => {
  const edit = (text: string, ...edits: Parameters<typeof editText>[1]): unknown => editText(text, edits);

  test('old is replaced where it occurs once, and all edits count or none', () => {
    expect(edit('a\nb\nc', { old: 'b', new: 'B' })).toEqual({ text: 'a\nB\nc', changes: [{ line: 2, text: 'B' }] });
    expect(edit('a\nb', { old: 'a', new: 'x' }, { old: 'nowhere', new: '' })).toEqual({
      refused: 'edits.1.old: does not occur in the note',
    });
    expect(edit('Hello  World', { old: 'hello world', new: '' })).toEqual({
      refused: 'edits.0.old: does not occur in the note; line 1 is similar: "Hello  World"',
    });
  });

  test('an ambiguous old is refused with its lines; count and under make it unique', () => {
    const text = '# A\n\nred\n\n# B\n\nred red\n';
    expect(edit(text, { old: 'red', new: 'x' })).toEqual({
      refused:
        'edits.0.old: occurs 3 times in the note, at lines 3, 7, 7; send more of the text around it, under, or count: 3',
    });
    expect(edit(text, { old: 'red', new: 'x', count: 3 })).toMatchObject({ text: '# A\n\nx\n\n# B\n\nx x\n' });
    expect(edit(text, { old: 'red', new: 'x', count: 2 })).toMatchObject({
      refused: expect.stringContaining('(got count 2)'),
    });
    expect(edit(text, { old: 'red', new: 'x', under: 'A' })).toMatchObject({ text: '# A\n\nx\n\n# B\n\nred red\n' });
  });

  test('headings: under adds to their own text, after inserts, replace_section replaces with what is below', () => {
    expect(edit(plan, { under: 'March', new: '- two' })).toMatchObject({
      text: plan.replace('- one\n', '- one\n- two\n'),
      changes: [{ line: 8, text: '- two' }],
    });
    expect(edit(plan, { after: '## March', new: 'first' })).toMatchObject({
      text: plan.replace('## March\n\n', '## March\n\nfirst\n\n'),
    });
    expect(edit(plan, { replaceSection: 'March', new: 'done' })).toMatchObject({
      text: '# Plan\n\nintro\n\n## March\n\ndone\n\n## April\n\nlate\n',
    });
    expect(edit(plan, { replaceSection: 'Plan > March > Detail', new: '' })).toMatchObject({
      text: '# Plan\n\nintro\n\n## March\n\n- one\n\n### Detail\n\n## April\n\nlate\n',
    });
    expect(edit(plan, { under: 'May', new: 'x' })).toEqual({
      refused: 'edits.0.under: the note has no heading "May"; it has "Plan", "March", "Detail", "April"',
    });
    expect(edit(`${plan}\n## March\n`, { under: 'March', new: 'x' })).toMatchObject({
      refused: expect.stringContaining('2 headings are called "March", at lines 5, 17'),
    });
    expect(edit(plan, { new: 'x' })).toMatchObject({ refused: expect.stringContaining('edits.0: send old') });
  });

  test('line ends of Windows stay, whatever the caller sends', () => {
    expect(edit('a\r\nb\r\nc', { old: 'a\nb', new: 'x\ny' })).toMatchObject({ text: 'x\r\ny\r\nc' });
  });

  test('[property] replacing a unique text changes nothing else', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (before, after, put) => {
        const text = `${before}\u{1f511}key${after}`;
        expect(edit(text, { old: '\u{1f511}key', new: put })).toMatchObject({
          text: text.includes('\r\n') ? expect.any(String) : before + put + after,
        });
      }),
    );
  });
});

test('outline: headings of both kinds with their sections, none in code or front matter', () => {
  const text = '---\ntitle: x\n---\nTop\n===\n\n```\n# code\n```\n\n    # indented\n\n## Low ##\ntext\n\nNext\n---\n';
  expect(outlineOf(text).headings.map(({ line, level, text: words }) => [line, level, words])).toEqual([
    [4, 1, 'Top'],
    [13, 2, 'Low'],
    [16, 2, 'Next'],
  ]);
  const [top, low] = outlineOf(text).headings;
  expect(text.slice(low!.from, low!.to)).toBe('## Low ##\ntext\n\n');
  expect(top!.to).toBe(text.length);
});

describe('diff', () => {
  test('a unified diff with two lines of context', () => {
    expect(diffText('a\nb\nc\nd\ne\nf\n', 'a\nb\nc\nD\ne\nf\n')).toBe('@@ -2,5 +2,5 @@\n b\n c\n-d\n+D\n e\n f');
    expect(diffText('same', 'same')).toBe('');
  });

  test('[property] applying it to the older text gives the newer one', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 40 }).map((some) => some.join('\n'));
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        expect(apply(before, diffText(before, after))).toBe(after);
      }),
    );
  });

  function apply(before: string, diff: string): string {
    const old = before.split('\n');
    if (diff === '') return before;
    const result: string[] = [];
    let at = 0;
    for (const line of diff.split('\n')) {
      const start = /^@@ -(\d+),/.exec(line)?.[1];
      if (start !== undefined) while (at < Number(start) - 1) result.push(old[at++]!);
      else if (line.startsWith('+')) result.push(line.slice(1));
      else {
        expect(old[at]).toBe(line.slice(1));
        if (line.startsWith(' ')) result.push(old[at]!);
        at += 1;
      }
    }
    return [...result, ...old.slice(at)].join('\n');
  }
});

describe('links, tags and tasks', () => {
  test('links in double brackets and by address, not in code; each once with its sentence', () => {
    const { links } = scanNote(
      'First. We ask [[Supplier Velox|them]] again! Later [[supplier velox]].\n' +
        '- see [[Plan#March]] and `[[code]]` and \\[[no]] and [x](/notes/note_1?a=1)\n' +
        '[item](/wiki/kb_1/item/media_2) [sheet](/sheet/doc_3 "t") [web](https://a.b/notes/note_9)\n```\n[[fenced]]\n```\n',
    );
    expect(
      links.map(({ kind, targetId, title, heading, line, occurrences }) => [
        kind,
        targetId,
        title,
        heading,
        line,
        occurrences,
      ]),
    ).toEqual([
      ['', '', 'Supplier Velox', '', 1, 2],
      ['', '', 'Plan', 'March', 2, 1],
      ['note', 'note_1', 'x', '', 2, 1],
      ['item', 'media_2', 'item', '', 3, 1],
      ['sheet', 'doc_3', 'sheet', '', 3, 1],
    ]);
    expect(links[0]!.sentence).toBe('We ask [[Supplier Velox|them]] again!');
    expect(links[1]!.sentence).toMatch(/^see \[\[Plan#March\]\]/);
  });

  test('tags are words after #, not headings, numbers, colors of addresses or anchors', () => {
    const tags = (text: string): string[] => scanNote(text).tags.map(({ tag }) => tag);
    expect(tags('# Title\n#review and #项目/子 (#Draft), #review')).toEqual(['review', '项目/子', 'Draft']);
    expect(tags('#123 a#b https://x.y/#frag [t](#anchor) `#code` \\#no &#35; C#')).toEqual([]);
    expect(tags('    #in-code\n\ntext #ok')).toEqual(['ok']);
  });

  test('tasks with their state and date', () => {
    const { tasks } = scanNote(
      '- [ ] call Ann @2026-12-01\n  1. [x] done\n> * [X] quoted\n- [ ]\n- [y] no\n- [ ] bad @2026-13-01\n```\n- [ ] code\n```',
    );
    expect(tasks).toEqual([
      { line: 1, text: 'call Ann @2026-12-01', isDone: false, due: '2026-12-01' },
      { line: 2, text: 'done', isDone: true, due: '' },
      { line: 3, text: 'quoted', isDone: true, due: '' },
      { line: 6, text: 'bad @2026-13-01', isDone: false, due: '' },
    ]);
  });

  test('a task is set by line or text, and its date moved', () => {
    const text = 'x\n- [ ] call @2026-12-01\n- [ ] same\n- [ ] same\n';
    expect(setTask(text, { line: 2, done: true, due: '2026-12-24' })).toMatchObject({
      text: text.replace('[ ] call @2026-12-01', '[x] call @2026-12-24'),
    });
    expect(setTask(text, { text: 'call @2026-12-01', due: '' })).toMatchObject({
      text: text.replace(' @2026-12-01', ''),
    });
    expect(setTask(text, { text: 'same', done: true })).toEqual({
      refused: 'text: 2 tasks have this text, at lines 3, 4; send line',
    });
    expect(setTask('- [ ] call Ann about it\n- [ ] book', { text: 'call Ann', done: true })).toMatchObject({
      text: '- [x] call Ann about it\n- [ ] book',
    });
    expect(setTask('- [ ] call Ann\n- [ ] call Bob', { text: 'call', done: true })).toEqual({
      refused: 'text: 2 tasks begin with this text, at lines 1, 2; send line',
    });
    expect(setTask(text, { line: 1, done: true })).toMatchObject({
      refused: expect.stringContaining('line 1 is no task'),
    });
    expect(setTask(text, { line: 2, text: 'other', done: true })).toMatchObject({ refused: expect.any(String) });
  });

  test('a new title replaces the old one in links only, outside code', () => {
    const text = '[[Old]] [[old#H|t]] `[[Old]]` Old \\[[Old]] [[Older]]\n```\n[[Old]]\n```\n[[ Old ]]';
    expect(relinkText(text, ['old'], { id: 'note_1', title: 'New' })).toMatchObject({
      text: '[[New]] [[New#H|t]] `[[Old]]` Old \\[[Old]] [[Older]]\n```\n[[Old]]\n```\n[[New]]',
      count: 3,
    });
    expect(relinkText('[[Old]] [[Old|t]]', ['old'], { id: 'note_1', title: 'A [b] | c' }).text).toBe(
      '[A \\[b\\] | c](/notes/note_1) [t](/notes/note_1)',
    );
  });

  test('replacing minds case and words when asked to', () => {
    expect(replaceText('Velox velox Veloxity', { old: 'Velox', new: 'V' })).toMatchObject({
      text: 'V velox Vity',
      count: 2,
    });
    const all = { old: 'velox', new: '$&', ignoreCase: true, wholeWord: true };
    expect(replaceText('Velox velox Veloxity', all)).toMatchObject({ text: '$& $& Veloxity', count: 2 });
  });

  test('[property] replacing any text is what split and join do', () => {
    const some = fc.string({
      minLength: 1,
      unit: fc.constantFrom('-', '[', ']', '(', '$', '\\', '/', 'a', '^', '|', '.'),
    });
    fc.assert(
      fc.property(some, some, some, (text, old, put) => {
        expect(replaceText(text, { old, new: put }).text).toBe(text.split(old).join(put));
      }),
    );
  });

  test('[property] any text is scanned and outlined without failing', () => {
    const hostile = fc
      .array(
        fc.constantFrom(
          '[[',
          ']]',
          '|',
          '#',
          '`',
          '```',
          '\n',
          '- [ ] ',
          '@2026-01-01',
          'a',
          ' ',
          '(',
          ')',
          '\\',
          '/notes/note_1',
          '\0',
        ),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(hostile, (text) => {
        const { links, tasks, tags } = scanNote(text);
        expect(JSON.stringify([links, tasks, tags])).not.toContain('\\u0000');
        outlineOf(text);
        expect(relinkText(text, [], { id: 'x', title: 'y' }).text).toBe(text);
      }),
    );
  });
});
