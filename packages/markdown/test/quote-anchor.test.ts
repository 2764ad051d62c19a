import { describe, expect, test } from 'vitest';
import { anchorAt, toComparableText, findQuote, locateQuote } from '../src/quote-anchor.ts';

function anchorOf(text: string, quote: string, number = 0) {
  const compared = toComparableText(text);
  return anchorAt(compared, quote, findQuote(compared, quote)[number]!);
}

function located(text: string, anchor: ReturnType<typeof anchorOf>): string | undefined {
  const place = locateQuote(toComparableText(text), anchor);
  return place && `${place.isChanged ? '~' : ''}${text.slice(place.from, place.to)}`;
}

describe('the anchor of a comment', () => {
  test('is found in Markdown by the text that the page shows', () => {
    const text = '# Plan\n\n1. Buy **three** [ripe pears](https://example.com/pears) today\n- [x] call Ann\n';
    expect(located(text, anchorOf(text, 'Buy three ripe pears today'))).toBe(
      'Buy **three** [ripe pears](https://example.com/pears) today',
    );
    expect(findQuote(toComparableText(text), 'call Ann')).toHaveLength(1);
  });

  test('follows its text when other text moves, also past an equal text', () => {
    const text = 'first pears here\n\nsecond pears there';
    const anchor = anchorOf(text, 'pears', 1);
    expect(located(`pears of mine\n\n${text}\n\npears`, anchor)).toBe('pears');
    const moved = `pears of mine\n\n${text}`;
    expect(locateQuote(toComparableText(moved), anchor)!.from).toBe(moved.indexOf('second pears') + 7);
  });

  test('names the place of an edited text by the text around it', () => {
    const anchor = anchorOf('We should buy three pears today, said Ann.', 'three pears');
    expect(located('We should buy four ripe pears today, said Ann.', anchor)).toBe('~four ripe pears');
  });

  test('prefers its edited text to an equal text elsewhere, and follows a text that was moved', () => {
    const text = 'We buy three pears today.\n\nAnd later we buy three apples tomorrow.';
    const anchor = anchorOf(text, 'buy three', 1);
    expect(located(text.replace('three apples', 'four apples'), anchor)).toBe('~buy four');
    expect(located('And later we apples tomorrow.\n\nWe buy three pears.', anchor)).toBe('buy three');
  });

  test('is gone with its text, and back with it', () => {
    const text = 'Nothing else.\n\nBuy three pears today.';
    const anchor = anchorOf(text, 'three pears');
    expect(located('Nothing else.', anchor)).toBeUndefined();
    expect(located(text, anchor)).toBe('three pears');
  });

  test('takes linear time for hostile texts', () => {
    const text = '](a'.repeat(300_000);
    expect(toComparableText(text).text.length).toBeLessThanOrEqual(text.length);
    expect(
      locateQuote(toComparableText('a'.repeat(900_000)), { quote: 'aa', before: 'b', after: 'c', at: 0 }),
    ).toMatchObject({ from: 0 });
  });
});
