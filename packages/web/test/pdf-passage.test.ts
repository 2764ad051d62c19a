/** [finding P19] The passage of a search on the page of a PDF. */
import { describe, expect, test } from 'vitest';
import { findOnPage } from '../src/features/knowledge/preview/pdf-passage.ts';

const line = (str: string) => ({ str, hasEOL: true });
const texts = [line('Birds of the river'), { str: 'The king', hasEOL: false }, line('fisher dives'), line('at noon.')];

describe('the passage on a page', () => {
  const shown = (passage: string, words: string[], of = texts) => {
    const places = findOnPage(of, passage, words);
    const cut = (parts: readonly { index: number; from: number; to: number }[]) =>
      parts.map(({ index, from, to }) => of[index]!.str.slice(from, to));
    return { passage: cut(places.passage), words: cut(places.words) };
  };

  test('a passage is found across texts and lines, however white space and capitals are', () => {
    expect(shown('…the KINGFISHER  dives\nat noon…', ['kingfisher'])).toEqual({
      passage: ['The king', 'fisher dives', 'at noon'],
      words: ['king', 'fisher'],
    });
  });

  test('of a passage that goes on overleaf, the part on this page is found', () => {
    const first = 'Long before the mill was built by the river, people came to fish.';
    expect(shown(`${first} They told of it on the next page.`, ['mill'], [line(first)])).toEqual({
      passage: [first],
      words: ['mill'],
    });
  });

  test('of a short passage that begins on the page before, the part with the word is found', () => {
    expect(shown('…Swallows drink The kingfisher dives at noon', ['kingfisher'])).toEqual({
      passage: ['The king', 'fisher dives', 'at noon'],
      words: ['king', 'fisher'],
    });
    expect(shown('…Swallows drink The kingfisher dives at noon', ['kingfisher'], [line('Swallows drink')])).toEqual({
      passage: [],
      words: [],
    });
  });

  test('nothing is marked where nothing is sought or found', () => {
    expect(shown('', [])).toEqual({ passage: [], words: [] });
    expect(shown('The heron waits', ['heron'])).toEqual({ passage: [], words: [] });
  });
});
