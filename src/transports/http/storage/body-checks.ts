import { createHash, type Hash } from 'node:crypto';
import { crc32 } from '../../../lib/crc32.ts';
import { crc32c, crc64nvme } from '../../../lib/crc.ts';
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

/** Passes the body on and compares it, at its end, with every hash the client sent along. */
export async function* checked(body: AsyncIterable<Uint8Array>, request: StorageRequest, payload: string, trailers: ReadonlyMap<string, string>): AsyncGenerator<Uint8Array> {
  const checks = checksOf(request, payload, trailers);
  for await (const chunk of body) {
    for (const check of checks) check.update(chunk);
    yield chunk;
  }
  for (const check of checks) {
    const expected = check.expected();
    if (expected === undefined) throw badRequest('MalformedTrailerError', `x-amz-trailer announces ${check.name}, which did not come after the body`);
    if (expected !== check.digest()) throw badRequest(check.code, `the bytes that arrived do not have the ${check.name} that was sent with them`);
  }
}

function checksOf(request: StorageRequest, payload: string, trailers: ReadonlyMap<string, string>): Check[] {
  const announced = (header(request, 'x-amz-trailer') ?? '').toLowerCase().split(',').map((name) => name.trim());
  const late = (name: string): string | undefined => header(request, name) ?? trailers.get(name);
  const isSent = (name: string): boolean => header(request, name) !== undefined || announced.includes(name);
  const checks: Check[] = [];
  if (isSent('content-md5')) checks.push(hashCheck(createHash('md5'), 'base64', () => late('content-md5'), 'BadDigest', 'Content-MD5'));
  if (/^[0-9a-f]{64}$/.test(payload)) checks.push(hashCheck(createHash('sha256'), 'hex', () => payload, 'XAmzContentSHA256Mismatch', 'x-amz-content-sha256'));
  for (const kind of ['sha256', 'sha1'] as const) {
    const name = `x-amz-checksum-${kind}`;
    if (isSent(name)) checks.push(hashCheck(createHash(kind), 'base64', () => late(name), 'BadDigest', name));
  }
  for (const [kind, sum] of Object.entries(sums)) {
    const name = `x-amz-checksum-${kind}`;
    if (isSent(name)) checks.push({ ...sum(), expected: () => late(name), code: 'BadDigest', name });
  }
  return checks;
}

const sums: Record<string, () => Pick<Check, 'update' | 'digest'>> = {
  crc32: () => sumCheck(crc32, 0, (crc) => [crc]),
  crc32c: () => sumCheck(crc32c, 0, (crc) => [crc]),
  crc64nvme: () => sumCheck(crc64nvme, { high: 0, low: 0 }, ({ high, low }) => [high, low]),
};

/** `words` are what the sum is made of, most significant first. */
function sumCheck<Sum>(add: (chunk: Uint8Array, before: Sum) => Sum, start: Sum, words: (sum: Sum) => number[]): Pick<Check, 'update' | 'digest'> {
  let sum = start;
  return {
    update: (chunk) => {
      sum = add(chunk, sum);
    },
    digest: () => Buffer.concat(words(sum).map((word) => Buffer.from(Uint32Array.of(word).buffer).swap32())).toString('base64'),
  };
}

function hashCheck(hash: Hash, form: 'hex' | 'base64', expected: () => string | undefined, code: string, name: string): Check {
  return { update: (chunk) => void hash.update(chunk), digest: () => hash.digest(form), expected, code, name };
}
