import { timingSafeEqual } from 'node:crypto';

/**
 * Compares texts in constant time, so that the response time reveals nothing about the expected text except its length.
 */
export function equalInConstantTime(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
