import { timingSafeEqual } from 'node:crypto';

/** In a time that does not tell how much was right. */
export function sameText(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
