import { createHash, timingSafeEqual } from 'node:crypto';

/** SHA-256 in hex. Secrets of 256 random bits need no slow hash: they cannot be guessed. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

export function equalInConstantTime(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
