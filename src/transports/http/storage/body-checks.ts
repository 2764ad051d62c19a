import { createHash, type Hash } from 'node:crypto';
import * as zlib from 'node:zlib';
import { badRequest } from './storage-error.ts';
import { header, type StorageRequest } from './storage-request.ts';

interface Check {
  update(chunk: Uint8Array): void;
  /** In the form the client sent it. */
  digest(): string;
  expected(): string | undefined;
  code: string;
  name: string;
}

/**
 * Passes the body on and compares it, at its end, with every hash the client sent along; hashes of kinds we cannot
 * compute are left to the client, which gets the ETag to compare.
 */
export async function* checked(body: AsyncIterable<Uint8Array>, request: StorageRequest, payload: string, trailers: ReadonlyMap<string, string>): AsyncGenerator<Uint8Array> {
  const checks = checksOf(request, payload, trailers);
  for await (const chunk of body) {
    for (const check of checks) check.update(chunk);
    yield chunk;
  }
  for (const check of checks) {
    const expected = check.expected();
    if (expected !== undefined && expected !== check.digest()) throw badRequest(check.code, `the bytes that arrived do not have the ${check.name} that was sent with them`);
  }
}

function checksOf(request: StorageRequest, payload: string, trailers: ReadonlyMap<string, string>): Check[] {
  const announced = (header(request, 'x-amz-trailer') ?? '').toLowerCase();
  const late = (name: string): string | undefined => header(request, name) ?? trailers.get(name);
  const isSent = (name: string): boolean => header(request, name) !== undefined || announced.includes(name);
  const checks: Check[] = [];
  if (isSent('content-md5')) checks.push(hashCheck(createHash('md5'), 'base64', () => late('content-md5'), 'BadDigest', 'Content-MD5'));
  if (/^[0-9a-f]{64}$/.test(payload)) checks.push(hashCheck(createHash('sha256'), 'hex', () => payload, 'XAmzContentSHA256Mismatch', 'x-amz-content-sha256'));
  for (const kind of ['sha256', 'sha1'] as const) {
    const name = `x-amz-checksum-${kind}`;
    if (isSent(name)) checks.push(hashCheck(createHash(kind), 'base64', () => late(name), 'BadDigest', name));
  }
  const name = 'x-amz-checksum-crc32';
  // Node before 20.15 has no such function; the other hashes stand.
  if (isSent(name) && typeof zlib.crc32 === 'function') checks.push(crcCheck(() => late(name), name));
  return checks;
}

function hashCheck(hash: Hash, form: 'hex' | 'base64', expected: () => string | undefined, code: string, name: string): Check {
  return { update: (chunk) => void hash.update(chunk), digest: () => hash.digest(form), expected, code, name };
}

function crcCheck(expected: () => string | undefined, name: string): Check {
  let crc = 0;
  return {
    update: (chunk) => {
      crc = zlib.crc32(chunk, crc);
    },
    digest: () => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(crc);
      return bytes.toString('base64');
    },
    expected,
    code: 'BadDigest',
    name,
  };
}
