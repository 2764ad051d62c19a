import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NoteMarkdown } from '@sheaf/markdown/note-markdown';
import {
  applyLocatedChanges,
  locateSuggestedChanges,
  computeSuggestedChanges,
} from '@sheaf/markdown/suggested-changes';
import { applyEdits } from '@sheaf/markdown/text-diff';

const line = fc.constantFrom('one', 'two', 'three', '# head', '- item', '', 'a longer line of words', '😀 row');
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));

test('accepting all changes of a suggestion, in any order, gives the suggested text, and undoing them the first', () => {
  fc.assert(
    fc.property(text, text, fc.infiniteStream(fc.nat()), (before, after, picks) => {
      let changes = computeSuggestedChanges(before, after);
      let current = before;
      const toggle = (state: 'accepted' | 'open'): void => {
        for (let left = changes.filter((one) => one.state !== state); left.length > 0;) {
          const { number } = left[picks.next().value! % left.length]!;
          const placed = locateSuggestedChanges(before, current, changes).filter((one) => one.number === number);
          const applied = applyLocatedChanges(current, placed);
          if ('stale' in applied) throw new Error(`change ${number} of ${JSON.stringify([before, after])} is stale`);
          current = applied.text;
          changes = changes.map((one) => (one.number === number ? { ...one, state } : one));
          left = changes.filter((one) => one.state !== state);
        }
      };
      toggle('accepted');
      expect(current).toBe(after);
      toggle('open');
      expect(current).toBe(before);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['We meet on 10 May', 'We meet on 12 May', ['10', '12']],
  ['my color', 'my colour', ['color', 'colour']],
  ['a good day', 'a very good day', ['', 'very ']],
  ['pears', '**pears**', ['pears', '**pears**']],
  ['我们十日见面', '我们二十日见面', ['', '二']],
  ['b😀b', 'b😁b', ['😀', '😁']],
])('%j changed to %j is shown as whole words', (before, after, [old, insert]) => {
  const [change, ...others] = computeSuggestedChanges(before, after);
  expect(others).toEqual([]);
  expect([before.slice(change!.at, change!.at + change!.remove), change!.insert]).toEqual([old, insert]);
});

test('text at the end and a line before the last one are two changes', () => {
  const changes = computeSuggestedChanges('- milk\n- tea', '- milk\n- sugar\n- tea\n\nend\n');
  expect(changes.map(({ remove, insert }) => [remove, insert])).toEqual([
    [0, '- sugar\n'],
    [0, '\n\nend\n'],
  ]);
});

test('[T93] a change never removes anything but what it was made for, whatever was written since', () => {
  fc.assert(
    fc.property(text, text, text, (before, after, now) => {
      for (const placed of locateSuggestedChanges(before, now, computeSuggestedChanges(before, after))) {
        if (placed.at === undefined) continue;
        const change = computeSuggestedChanges(before, after).find(({ number }) => number === placed.number)!;
        expect(now.slice(placed.at, placed.at + placed.remove)).toBe(
          before.slice(change.at, change.at + change.remove),
        );
      }
    }),
    { numRuns: 2000 },
  );
});

test('the blocks of a document begin where blockStarts says', () => {
  const markdown = new NoteMarkdown();
  fc.assert(
    fc.property(text, (given) => {
      const doc = markdown.parseDocument(given);
      const starts = markdown.blockStarts(doc);
      expect(starts).toHaveLength(doc.childCount);
      const parts = starts.map((start, index) => given.slice(start, starts[index + 1]));
      expect(parts.join('')).toBe(given);
      expect(applyEdits(given, [])).toBe(markdown.serialize(doc));
    }),
    { numRuns: 300 },
  );
});
