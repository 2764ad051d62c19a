import { createHash } from 'node:crypto';
import { crc32 } from '@sheaf/files/zip/crc32';
import { crc32c, crc64nvme } from '../../../lib/crc.ts';

/** Checksum algorithms of the `x-amz-checksum-...` headers (base64). */
export const algorithms = ['crc32', 'crc32c', 'crc64nvme', 'sha1', 'sha256'] as const;
export type Algorithm = (typeof algorithms)[number];

export interface Sum {
  update(chunk: Uint8Array): void;
  digest(): Buffer;
}

export const checksumHeader = (algorithm: Algorithm): string => `x-amz-checksum-${algorithm}`;
export const checksumElement = (algorithm: Algorithm): string => `Checksum${algorithm.toUpperCase()}`;

const start: Record<Algorithm, () => Sum> = {
  crc32: () => cyclic(crc32, 0, (crc) => [crc]),
  crc32c: () => cyclic(crc32c, 0, (crc) => [crc]),
  crc64nvme: () => cyclic(crc64nvme, { high: 0, low: 0 }, ({ high, low }) => [high, low]),
  sha1: () => createHash('sha1'),
  sha256: () => createHash('sha256'),
};

export function newSum(algorithm: Algorithm): Sum {
  return start[algorithm]();
}

/** `words`: the checksum as 32-bit words, most significant first. */
function cyclic<Crc>(add: (chunk: Uint8Array, before: Crc) => Crc, zero: Crc, words: (crc: Crc) => number[]): Sum {
  let crc = zero;
  return {
    update: (chunk) => {
      crc = add(chunk, crc);
    },
    digest: () => Buffer.concat(words(crc).map((word) => Buffer.from(Uint32Array.of(word).buffer).swap32())),
  };
}
