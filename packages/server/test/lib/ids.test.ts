import { describe, expect, test } from 'vitest';
import { hashSecret, newId, newSecret, randomText, timeOfId } from '../../src/lib/ids.ts';

describe('ids and secrets', () => {
  test('random text has the length asked for and does not repeat, across many refills of the pool', () => {
    const seen = new Set<string>();
    for (let i = 0; i < 2000; i++)
      seen.add(
        randomText(1 + (i % 64))
          .padEnd(64, ' ')
          .slice(0, 64),
      );
    expect(randomText(52)).toMatch(/^[0-9a-hjkmnp-tv-z]{52}$/);
    const long = Array.from({ length: 2000 }, () => randomText(52));
    expect(new Set(long).size).toBe(2000);
    expect(seen.size).toBeGreaterThan(1800);
  });

  test('an id tells when it was made', () => {
    const before = Date.now();
    const time = timeOfId(newId('note'));
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
  });

  test('what is kept of a secret is its time and its hash; secrets of earlier versions have no time', () => {
    expect(newSecret('sk')).toMatch(/^sk_[0-9a-z]{61}$/);
    expect(hashSecret(`sk_1m7f0wnxx${'0'.repeat(52)}`)).toBe(
      '1m7f0wnxx0848e2ce4b88cd14af914534a36807149f2777793cb0f8eeda00beefec21ac45',
    );
    expect(hashSecret(`sk_${'0'.repeat(52)}`)).toBe('a51805d704d139ad29d71d18edf33cb94f3a7ac70bda8754ff79c906d552ed0c');
    expect(hashSecret('wrong')).toBe('8810ad581e59f2bc3928b261707a71308f7e139eb04820366dc4d5c18d980225');
  });
});
