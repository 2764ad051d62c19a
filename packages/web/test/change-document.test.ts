import { EditorState, TextSelection } from '@tiptap/pm/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NoteMarkdown } from '@sheaf/markdown/note-markdown';
import { changeDocument } from '../src/features/notes/change-document.ts';

const parser = new NoteMarkdown();
/** Marks the caret in the texts of these tests. */
const mark = '¦';

/** Returns the state of an editor whose user has just typed before the caret. A second mark ends a selection. */
function typed(markdown: string): EditorState {
  const doc = parser.parseDocument(markdown);
  const places: number[] = [];
  doc.descendants((node, position) => {
    for (const { index } of (node.text ?? '').matchAll(new RegExp(mark, 'g'))) places.push(position + index);
  });
  const { tr } = EditorState.create({ doc });
  for (const place of places.toReversed()) tr.delete(place, place + 1);
  const [anchor, head] = places.map((place, index) => place - index);
  return EditorState.create({ doc: tr.doc, selection: TextSelection.create(tr.doc, anchor!, head) });
}

/** Shows a text from elsewhere. */
function receive(state: EditorState, markdown: string): EditorState {
  const received = state.apply(changeDocument(state, parser.parseDocument(markdown)));
  received.doc.check();
  return received;
}

/** Returns the Markdown of the editor, with the mark where the caret is. */
function marked({ selection: { from, to }, tr }: EditorState): string {
  if (from !== to) tr.insertText(mark, to);
  return parser.serialize(tr.insertText(mark, from).doc);
}

/** A text that is open in an editor, what arrives from elsewhere, and what is then shown. */
const changes: [name: string, open: string, arrives: string, shown: string][] = [
  ['a word on another line', 'ada: a¦\n\nben: b\n\nend', 'ada: a\n\nben: b c\n\nend', 'ada: a¦\n\nben: b c\n\nend'],
  [
    'words on the line and on the next one',
    '# Cuts\n\nada: a1 a2¦\n\nben: b1\n\nend',
    '# Cuts\n\nada: x a1 a2\n\nben: b1 b2\n\nend',
    '# Cuts\n\nada: x a1 a2¦\n\nben: b1 b2\n\nend',
  ],
  [
    'words on the line and new lines around it',
    'top\n\nada: a1 a2¦\n\nend',
    'top 2\n\nnew\n\nada: a1 x a2\n\nnew too\n\nend',
    'top 2\n\nnew\n\nada: a1 x a2¦\n\nnew too\n\nend',
  ],
  ['words on both sides of the caret', 'one two¦ three', 'zero one two three four', 'zero one two¦ three four'],
  ['words in a short line', 'ada:¦\n\nben:', 'so ada: yes\n\nben: no', 'so ada:¦ yes\n\nben: no'],
  ['a word at the caret', 'one¦\n\ntwo', 'one more\n\ntwo 2', 'one¦ more\n\ntwo 2'],
  ['lines below the last line', 'one¦', 'one\n\ntwo\n\nthree', 'one¦\n\ntwo\n\nthree'],
  ['a line above a removed line', 'one\n\ntwo\n\nthree¦', 'zero\n\none\n\nthree more', 'zero\n\none\n\nthree¦ more'],
  ['a heading made of the line', 'Plan¦\n\none', '# Plan\n\none 1', '# Plan¦\n\none 1'],
  [
    'an item made of the line',
    'milk and tea¦\n\nend',
    '- milk and tea\n- sugar\n\nend 1',
    '- milk and tea¦\n- sugar\n\nend 1',
  ],
  [
    'words in other items of the list',
    '- a\n- bread¦\n- c',
    '- a 1\n- b\n- bread\n- c 2',
    '- a 1\n- b\n- bread¦\n- c 2',
  ],
  [
    'a task done, and words in another one',
    '- [ ] milk¦\n- [ ] tea',
    '- [x] milk\n- [ ] green tea',
    '- [x] milk¦\n- [ ] green tea',
  ],
  [
    'cells and a row of the table',
    '| a | b |\n| --- | --- |\n| 1 | two¦ |',
    '| a | bb |\n| --- | --- |\n| 0 | 0 |\n| 11 | two |',
    '| a | bb |\n| --- | --- |\n| 0 | 0 |\n| 11 | two¦ |',
  ],
  ['words in bold before the caret', 'one two¦ three', '**one** two three four', '**one** two¦ three four'],
  ['a space that Markdown does not have', 'ada: a ¦\n\nben: b', 'ada: a\n\nben: b c', 'ada: a ¦\n\nben: b c'],
  [
    'the same with lines on both sides',
    'top\n\nada: a ¦\n\nend',
    'top\n\nnew\n\nada: a\n\nnew too\n\nend',
    'top\n\nnew\n\nada: a ¦\n\nnew too\n\nend',
  ],
  [
    'words around a selection',
    'one ¦two¦ three\n\nb',
    'zero one two three four\n\nc',
    'zero one ¦two¦ three four\n\nc',
  ],
  ['nothing of the line', 'one\n\ntwo¦\n\nthree', 'one\n\nthree', 'one\n\n¦three'],
];

test.each(changes)('[finding P12] the caret stays at its letters when %s arrive', (_name, open, arrives, shown) => {
  expect(marked(receive(typed(open), arrives))).toBe(shown);
});

test.each([
  ['one two', 'more\n\none two'],
  ['> one two', '> more\n>\n> one two'],
  ['- one two\n- three', '- one two\n- three and four'],
  ['- one two\n- three', '- one two  \n- three'],
])('[finding P12] a line break that was just typed at the end of %j is kept', (open, arrives) => {
  const before = typed(`${open.replace('two', `two${mark}`)}\n\nend`);
  const state = before.apply(before.tr.replaceSelectionWith(parser.schema.nodes['hardBreak']!.create()));
  const { selection } = receive(state, `${arrives}\n\nthe end`);
  const { $from } = selection;
  expect([$from.parent.textContent, $from.nodeBefore?.type.name, $from.nodeAfter]).toEqual([
    'one two',
    'hardBreak',
    null,
  ]);
});

test('[finding P12] an empty paragraph with the caret is kept', () => {
  const { doc } = EditorState.create({ doc: parser.parseDocument('one\n\ntwo') });
  const { tr } = EditorState.create({ doc });
  tr.insert(doc.child(0).nodeSize, parser.schema.nodes['paragraph']!.create());
  const state = EditorState.create({ doc: tr.doc, selection: TextSelection.create(tr.doc, doc.child(0).nodeSize + 1) });
  expect(marked(receive(state, 'zero one\n\ntwo more'))).toBe(`zero one\n\n${mark}\n\ntwo more`);
});

/** Two people change one text: lines are added, removed and changed, in lists and tables too. */
const line = fc.array(fc.constantFrom('pear', 'tea', 'mill', 'rain', '**bold**', '你好'), {
  minLength: 1,
  maxLength: 5,
});
const block = fc.oneof(
  line.map((words) => words.join(' ')),
  line.map((words) => `# ${words.join(' ')}`),
  fc
    .array(line, { minLength: 1, maxLength: 3 })
    .map((items) => items.map((words) => `- ${words.join(' ')}`).join('\n')),
  fc.array(line, { minLength: 1, maxLength: 2 }).map((items) => items.map((words) => `- [ ] ${words[0]}`).join('\n')),
  line.map((words) => `> ${words.join(' ')}\n>\n> - ${words[0]}`),
  line.map((words) => `| a | b |\n| --- | --- |\n| ${words[0]} | ${words.at(-1)} |`),
  line.map((words) => `\`\`\`\n${words.join('\n')}\n\`\`\``),
);
const text = fc.array(block, { minLength: 1, maxLength: 6 }).map((blocks) => blocks.join('\n\n'));

test('whatever arrives is shown, and nothing else', () => {
  fc.assert(
    fc.property(text, text, fc.nat(), fc.nat(), (open, arrives, from, to) => {
      const doc = parser.parseDocument(open);
      const [anchor, head] = [from, to].map((place) => doc.resolve(place % doc.content.size));
      const state = EditorState.create({ doc, selection: TextSelection.between(anchor!, head!) });
      const received = receive(state, arrives);
      expect(received.doc.toJSON()).toEqual(parser.parseDocument(arrives).toJSON());
      expect(parser.serialize(received.doc)).toBe(arrives);
    }),
    { numRuns: 200 },
  );
});

test('the caret stays at a word that nobody else has, whatever is written around it', () => {
  const place = fc.record({ before: text, after: text });
  fc.assert(
    fc.property(place, place, line, line, (open, arrives, before, after) => {
      const written = `${before.join(' ')} ${after.join(' ')}`;
      const shown = marked(
        receive(
          typed(`${open.before}\n\nmy own words unlike others${mark} here\n\n${open.after}`),
          `${arrives.before}\n\n${written} my own words unlike others here ${written}\n\n${arrives.after}`,
        ),
      );
      expect(shown).toContain(`my own words unlike others${mark} here`);
    }),
    { numRuns: 200 },
  );
});
