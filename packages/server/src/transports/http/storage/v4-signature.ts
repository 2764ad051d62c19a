import { equalInConstantTime } from '../../../lib/timing-safe-equal.ts';
import { createHmac } from 'node:crypto';
import { sha256 } from '../../../lib/hash.ts';
import { accessDenied, badRequest, badSignature, tooSkewed } from './s3-error.ts';
import { encodeRfc3986, header, possibleHosts, queryValue, type S3Request } from './s3-request.ts';

const algorithm = 'AWS4-HMAC-SHA256';

/** Signature of a request by AWS Signature Version 4, from the Authorization header or the query. */
export interface V4Signature {
  secretId: string;
  token: string | undefined;
  /**
   * Value of the header x-amz-content-sha256: the SHA-256 hash of the body, UNSIGNED-PAYLOAD, or one of the STREAMING
   * forms.
   */
  payload: string;
  verify(secretKey: string, now: number, skewMs: number, ownHost: string): ChunkSigner;
}

/**
 * Computes the signatures that the chunks and the trailing headers of a streamed body must have. Each signature depends
 * on the previous one, so the methods must be called in the order of the body.
 */
export interface ChunkSigner {
  chunk(sha256: string): string;
  trailer(sha256: string): string;
}

interface Parts {
  credential: string;
  signedHeaders: string;
  signature: string;
  date: string;
  /** Time in seconds for which a signed URL is valid. Undefined if the signature is in the Authorization header. */
  expires: number | undefined;
}

export function readV4Signature(request: S3Request): V4Signature | undefined {
  const parts = partsOf(request);
  if (!parts) return undefined;
  const [secretId = '', day = '', region = '', service = '', end = ''] = parts.credential.split('/');
  const payload = header(request, 'x-amz-content-sha256') ?? 'UNSIGNED-PAYLOAD';
  const scope = `${day}/${region}/${service}/${end}`;
  return {
    secretId,
    token: header(request, 'x-amz-security-token') ?? queryValue(request, 'X-Amz-Security-Token'),
    payload,
    verify(secretKey, now, skewMs, ownHost) {
      if (end !== 'aws4_request' || service !== 's3' || !parts.date.startsWith(day))
        throw badRequest(
          'AuthorizationHeaderMalformed',
          'the credential must be <id>/<day>/<region>/s3/aws4_request, with the date of the request',
        );
      checkTime(parts, now, skewMs);
      const names = parts.signedHeaders.split(';');
      if (!names.includes('host')) throw accessDenied('the host must be among the signed headers');
      const key = hmac(hmac(hmac(hmac(`AWS4${secretKey}`, day), region), service), end);
      for (const host of possibleHosts(request, ownHost)) {
        for (const path of new Set([request.path.split('/').map(encodeRfc3986).join('/'), request.rawPath])) {
          const canonical = [
            request.method,
            path,
            canonicalQuery(request),
            ...names.map((name) => `${name}:${headerText(request, name, host)}`),
            '',
            parts.signedHeaders,
            payload,
          ].join('\n');
          const toSign = `${algorithm}\n${parts.date}\n${scope}\n${sha256(canonical)}`;
          const expected = hmac(key, toSign).toString('hex');
          if (equalInConstantTime(expected, parts.signature)) return chunkSigner(key, parts.date, scope, expected);
        }
      }
      throw badSignature('the signature does not match this request and key');
    },
  };
}

function partsOf(request: S3Request): Parts | undefined {
  const authorization = header(request, 'authorization') ?? '';
  if (authorization.startsWith(algorithm)) {
    const field = (name: string): string => new RegExp(`(?:^|[\\s,])${name}=([^\\s,]+)`).exec(authorization)?.[1] ?? '';
    return {
      credential: field('Credential'),
      signedHeaders: field('SignedHeaders'),
      signature: field('Signature'),
      date: header(request, 'x-amz-date') ?? '',
      expires: undefined,
    };
  }
  const signature = queryValue(request, 'X-Amz-Signature');
  if (signature === undefined || queryValue(request, 'X-Amz-Algorithm') !== algorithm) return undefined;
  const field = (name: string): string => queryValue(request, name) ?? '';
  return {
    credential: field('X-Amz-Credential'),
    signedHeaders: field('X-Amz-SignedHeaders'),
    signature,
    date: field('X-Amz-Date'),
    expires: /^\d{1,6}$/.test(field('X-Amz-Expires')) ? Number(field('X-Amz-Expires')) : 0,
  };
}

function checkTime(parts: Parts, now: number, skewMs: number): void {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(parts.date) ?? [];
  if (year === undefined) throw accessDenied('x-amz-date must be a time such as 20260131T235959Z');
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const until = at + (parts.expires === undefined ? 0 : parts.expires * 1000);
  if (now < at - skewMs) throw tooSkewed();
  if (now > until + skewMs)
    throw parts.expires === undefined ? tooSkewed() : accessDenied('the signed address has expired');
}

function canonicalQuery(request: S3Request): string {
  return request.query
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encodeRfc3986(name)}=${encodeRfc3986(value)}`)
    .sort((a, b) => (a < b ? -1 : 1))
    .join('&');
}

function headerText(request: S3Request, name: string, host: string): string {
  const value = name === 'host' ? host : (header(request, name) ?? '');
  return value.trim().replace(/\s+/g, ' ');
}

function chunkSigner(key: Buffer, date: string, scope: string, first: string): ChunkSigner {
  let previous = first;
  const sign = (kind: string, rest: string): string => {
    previous = hmac(key, `${algorithm}-${kind}\n${date}\n${scope}\n${previous}\n${rest}`).toString('hex');
    return previous;
  };
  return { chunk: (hash) => sign('PAYLOAD', `${sha256('')}\n${hash}`), trailer: (hash) => sign('TRAILER', hash) };
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
