import { createHash } from 'node:crypto';
import { checksumAlgorithms, checksumHeader, createChecksum, type Checksum } from './checksum-algorithms.ts';
import { badRequest } from './s3-error.ts';
import { header, type S3Request } from './s3-request.ts';

interface Check {
  sum: Checksum;
  form: 'hex' | 'base64';
  expected(): string | undefined;
  code: string;
  name: string;
}

/**
 * Sources of the hashes and checksums by which a client asks to verify a body: the headers of the request, the signed
 * hash `payload`, and the trailing headers.
 */
export interface BodyClaims {
  request: S3Request;
  payload: string;
  trailers: ReadonlyMap<string, string>;
  /** False if the checksum headers describe the completed object instead of this body; true by default. */
  hasChecksums?: boolean;
}

/**
 * Yields the body unchanged. At its end, throws if the body differs from one of the hashes that the client sent, or if
 * an announced hash is missing.
 */
export async function* verifyBody(body: AsyncIterable<Uint8Array>, claims: BodyClaims): AsyncGenerator<Uint8Array> {
  const checks = checksOf(claims);
  for await (const chunk of body) {
    for (const check of checks) check.sum.update(chunk);
    yield chunk;
  }
  for (const check of checks) {
    const expected = check.expected();
    if (expected === undefined)
      throw badRequest(
        'MalformedTrailerError',
        `x-amz-trailer announces ${check.name}, which is missing after the body`,
      );
    if (expected !== check.sum.digest().toString(check.form))
      throw badRequest(check.code, `the received bytes do not match the ${check.name} sent with them`);
  }
}

function checksOf({ request, payload, trailers, hasChecksums = true }: BodyClaims): Check[] {
  const announced = (header(request, 'x-amz-trailer') ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const late = (name: string): string | undefined => header(request, name) ?? trailers.get(name);
  const isSent = (name: string): boolean => header(request, name) !== undefined || announced.includes(name);
  const sent = (name: string, sum: Checksum): Check[] =>
    isSent(name) ? [{ sum, form: 'base64', expected: () => late(name), code: 'BadDigest', name }] : [];
  const checks = sent('content-md5', createHash('md5')).map((check) => ({ ...check, name: 'Content-MD5' }));
  if (/^[0-9a-f]{64}$/.test(payload))
    checks.push({
      sum: createHash('sha256'),
      form: 'hex',
      expected: () => payload,
      code: 'XAmzContentSHA256Mismatch',
      name: 'x-amz-content-sha256',
    });
  for (const algorithm of hasChecksums ? checksumAlgorithms : [])
    checks.push(...sent(checksumHeader(algorithm), createChecksum(algorithm)));
  return checks;
}

/** Returns the verified checksums as response headers, as S3 does. */
export function verifiedChecksums({
  request,
  trailers,
}: Pick<BodyClaims, 'request' | 'trailers'>): Record<string, string> {
  const compared: Record<string, string> = {};
  for (const name of checksumAlgorithms.map(checksumHeader)) {
    const value = header(request, name) ?? trailers.get(name);
    if (value !== undefined) compared[name] = value;
  }
  return compared;
}
