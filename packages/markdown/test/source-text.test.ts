import { exitCode, joinBackward, splitBlock } from '@tiptap/pm/commands';
import { history, undo } from '@tiptap/pm/history';
import { EditorState, TextSelection, type Command } from '@tiptap/pm/state';
import { beforeAll, describe, expect, test } from 'vitest';
import { commonMarkExamples, extendedForms, installedReadmes } from '@sheaf/tools/testing/foreign-markdown.ts';
import { NoteMarkdown } from '../src/note-markdown.ts';
import { check } from './typed-letter.ts';

const markdown = new NoteMarkdown();

let examples: string[] = [];

beforeAll(async () => {
  const specified = await commonMarkExamples();
  expect(specified.length).toBe(652);
  examples = [...specified, ...extendedForms];
});

describe('Markdown that no editor here wrote', () => {
  test('every example of CommonMark and of its extensions, a letter typed into each block', () => {
    const all = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
    const typed = examples.map((text) => check(text, all));
    expect(typed.filter((count) => count > 0).length).toBeGreaterThan(600);
  });

  test('the same with CRLF, with spaces at the ends of lines and without a final newline', () => {
    const first = (): number[] => [0];
    for (const text of examples) {
      check(text.replaceAll('\n', '\r\n'), first);
      check(text.trimEnd(), first);
      check(text.replaceAll('\n', '  \n'), first);
      check(`\n \n${text}\n\n\n \n`, first);
    }
  });

  test('READMEs of installed packages, a letter typed into three blocks of each', { timeout: 120_000 }, () => {
    const texts = installedReadmes().filter((text) => text.length < 30_000);
    expect(texts.length).toBeGreaterThan(200);
    let seed = 7;
    const random = (count: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % count;
    };
    const typed = texts.slice(0, 250).map((text) => check(text, (count) => [random(count), random(count), count - 1]));
    expect(typed.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(600);
  });
});

describe('what happens to the source of a block', () => {
  const text = 'Title\n=====\nfirst *paragraph*\n* one\n* two\n\n\n<!-- kept -->\n\nlast\n';
  const start = (source = text): EditorState =>
    EditorState.create({ doc: markdown.parseDocument(source), plugins: [history()] });
  const run = (state: EditorState, command: Command): EditorState => {
    let next = state;
    expect(command(state, (change) => (next = state.apply(change)))).toBe(true);
    return next;
  };
  const caretAfter = (state: EditorState, words: string): EditorState => {
    let at = 0;
    state.doc.descendants((node, position) => {
      if (node.isText && node.text!.includes(words)) at = position + node.text!.indexOf(words) + words.length;
    });
    return state.apply(state.tr.setSelection(TextSelection.create(state.doc, at)));
  };
  const type = (state: EditorState, words: string): EditorState => state.apply(state.tr.insertText(words));
  const written = (state: EditorState): string => markdown.serialize(state.doc);

  test('undone, the text is the source again', () => {
    const typed = type(caretAfter(start(), 'paragraph'), 's');
    expect(written(typed)).toBe(text.replace('*paragraph*', '*paragraphs*'));
    expect(written(run(typed, undo))).toBe(text);
  });

  test('a block that is split is not written twice, and joined again it is the source', () => {
    const split = run(caretAfter(start(), 'first '), splitBlock);
    expect(written(split)).toBe(text.replace('first *', 'first \n\n*'));
    expect(written(run(split, joinBackward))).toBe(text);
  });

  test('a moved block keeps its source, and stays a block of its own', () => {
    const state = start();
    const { doc } = state;
    const list = doc.child(2);
    expect(list.type.name).toBe('bulletList');
    const from = doc.child(0).nodeSize + doc.child(1).nodeSize;
    const moved = state.apply(state.tr.delete(from, from + list.nodeSize).insert(0, list));
    expect(written(moved)).toBe('* one\n* two\n\n\nTitle\n=====\nfirst *paragraph*\n<!-- kept -->\n\nlast\n');
  });

  test('a new block is set apart by a blank line, also where Markdown needs none', () => {
    const state = start('# Plan\n');
    const paragraph = state.schema.nodes['paragraph']!.create(null, state.schema.text('words'));
    expect(written(state.apply(state.tr.insert(state.doc.content.size, paragraph)))).toBe('# Plan\n\nwords');
  });

  test('a block added at the end is a block of its own, and a deleted last block leaves no blank lines', () => {
    const added = type(run(caretAfter(start(), 'last'), splitBlock), 'more');
    expect(written(added)).toBe(`${text}\nmore`);
    const state = start();
    const last = state.doc.lastChild!.nodeSize;
    const size = state.doc.content.size;
    expect(written(state.apply(state.tr.delete(size - last, size)))).toBe(text.slice(0, text.indexOf('\n\nlast')));
  });

  test('text without a block of its own is edited as source', () => {
    const typed = type(caretAfter(start(), 'kept'), ' here');
    expect(written(typed)).toBe(text.replace('kept', 'kept here'));
    const left = type(run(caretAfter(start(), 'kept'), exitCode), 'after');
    expect(written(left)).toBe(text.replace('-->', '-->\n\nafter'));
  });

  test('a changed block has the line breaks of its file', () => {
    const typed = type(caretAfter(start('# A\r\n\r\n* b\r\n* c\r\n'), 'c'), 'x');
    expect(written(typed)).toBe('# A\r\n\r\n- b\r\n- cx\r\n');
  });

  test('an outdated source is never written, whoever set it', () => {
    const json = JSON.parse(JSON.stringify(start().doc)) as { content: { content: { text: string }[] }[] };
    json.content[1]!.content[0]!.text = 'other ';
    expect(markdown.serialize(markdown.schema.nodeFromJSON(json))).toBe(text.replace('first', 'other'));
  });

  test('a link definition in another place still makes links', () => {
    const source = 'See [the *page*][p].\n\n[p]: https://example.com/ "Page"\n[q]: /q\n';
    const state = start(source);
    expect(state.doc.childCount).toBe(2);
    expect(written(type(caretAfter(state, 'See'), 'n'))).toBe(
      source.replace('See [the *page*][p].', 'Seen [the *page*](https://example.com/ "Page").'),
    );
  });

  test('links to notes by title are not escaped', () => {
    const typed = type(caretAfter(start('see [[Plan A]] and [x]'), 'see'), 'n');
    expect(written(typed)).toBe('seen [[Plan A]] and \\[x\\]');
  });
});
