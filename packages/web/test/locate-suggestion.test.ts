import { expect, test } from 'vitest';
import { NoteMarkdown } from '@sheaf/markdown/note-markdown';
import { computeSuggestedChanges } from '@sheaf/markdown/suggested-changes';
import { locateSuggestion } from '../src/features/notes/locate-suggestion.ts';

// The page has a schema for its editor and one for its parser.
const [{ schema }, parser] = [new NoteMarkdown(), new NoteMarkdown()];

/** What is shown of each change: the text that would go, the text that would come, and whether it is within a line. */
function shown(before: string, after: string): unknown[] {
  const doc = schema.nodeFromJSON(parser.parse(before));
  const text = { parser, markdown: before, starts: parser.blockStarts(doc) };
  return computeSuggestedChanges(before, after).map((change) => {
    const found = locateSuggestion(doc, text, change);
    if (!found) return undefined;
    const { from, to, inserted, isInline } = found;
    return [doc.textBetween(from, to, '|'), inserted.textBetween(0, inserted.size, '|'), isInline];
  });
}

test.each([
  ['We meet on **10 May** at noon.', 'We meet on **12 May** at noon.', [['10', '12', true]]],
  ['# Plan\n\nBring cake.\n\nend', '# Plan\n\nBring fresh bread.\n\nend', [['cake', 'fresh bread', true]]],
  ['- milk\n- tea', '- milk\n- sugar\n- tea', [['', 'sugar', false]]],
  ['- milk\n- tea', '- milk\n- green tea', [['', 'green ', true]]],
  ['one\n\ntwo', 'one\n\ntwo\n\nthree', [['', 'three', false]]],
  ['one\n\ntwo\n\nthree', 'one\n\nthree', [['two', '', false]]],
  ['# Title\n\ntext', '## Title\n\ntext', [['Title', 'Title', false]]],
  ['| a | b |\n|---|---|\n| 1 | 2 |', '| a | b |\n|---|---|\n| 1 | 3 |', [['2', '3', true]]],
  ['three pears', '**three** pears', [['three', 'three', true]]],
  ['some *words*', 'some _words_', [undefined]],
  ['one\n\ntwo', 'one\n\nbetween\n\ntwo', [['', 'between', false]]],
  ['one\ntwo\n\nend', 'one\n\ntwo\n\nend', [['one\ntwo', 'one|two', false]]],
])('%j suggested as %j is shown as %j', (before, after, expected) => {
  expect(shown(before, after)).toEqual(expected);
});
