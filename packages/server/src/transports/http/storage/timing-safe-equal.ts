import { timingSafeEqual } from 'node:crypto';

/** Compares in constant time. */
export function equalInConstantTime(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
