import { createHash } from 'node:crypto';
import { crc32 } from '@sheaf/files/zip/crc32';
import { crc32c, crc64nvme } from '../../../lib/crc.ts';

/** Algorithms whose checksum an S3 client may send in a header `x-amz-checksum-<algorithm>`, encoded in base64. */
export const checksumAlgorithms = ['crc32', 'crc32c', 'crc64nvme', 'sha1', 'sha256'] as const;
export type ChecksumAlgorithm = (typeof checksumAlgorithms)[number];

export interface Checksum {
  update(chunk: Uint8Array): void;
  digest(): Buffer;
}

export const checksumHeader = (algorithm: ChecksumAlgorithm): string => `x-amz-checksum-${algorithm}`;
export const checksumElement = (algorithm: ChecksumAlgorithm): string => `Checksum${algorithm.toUpperCase()}`;

const start: Record<ChecksumAlgorithm, () => Checksum> = {
  crc32: () => crcChecksum(crc32, 0, (crc) => [crc]),
  crc32c: () => crcChecksum(crc32c, 0, (crc) => [crc]),
  crc64nvme: () => crcChecksum(crc64nvme, { high: 0, low: 0 }, ({ high, low }) => [high, low]),
  sha1: () => createHash('sha1'),
  sha256: () => createHash('sha256'),
};

export function createChecksum(algorithm: ChecksumAlgorithm): Checksum {
  return start[algorithm]();
}

/**
 * Makes a checksum from a CRC function: `add` returns the CRC after one more chunk, and `zero` is the CRC of no data.
 * `words` returns the CRC as 32-bit words, most significant first.
 */
function crcChecksum<Crc>(
  add: (chunk: Uint8Array, before: Crc) => Crc,
  zero: Crc,
  words: (crc: Crc) => number[],
): Checksum {
  let crc = zero;
  return {
    update: (chunk) => {
      crc = add(chunk, crc);
    },
    digest: () => Buffer.concat(words(crc).map((word) => Buffer.from(Uint32Array.of(word).buffer).swap32())),
  };
}
