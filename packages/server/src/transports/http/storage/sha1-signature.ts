import { equalInConstantTime } from '../../../lib/timing-safe-equal.ts';
import { createHash, createHmac } from 'node:crypto';
import { accessDenied, badSignature, tooSkewed } from './s3-error.ts';
import { encodeRfc3986, header, possibleHosts, queryValue, type S3Request } from './s3-request.ts';

/**
 * Signature of a request by the scheme of Tencent Cloud (`q-sign-algorithm=sha1`), from the Authorization header or the
 * query.
 */
export interface Sha1Signature {
  secretId: string;
  token: string | undefined;
  verify(secretKey: string, now: number, skewMs: number, ownHost: string): undefined;
}

export function readSha1Signature(request: S3Request): Sha1Signature | undefined {
  const fields = fieldsOf(request);
  if (!fields) return undefined;
  const field = (name: string): string => fields.get(name) ?? '';
  return {
    secretId: field('q-ak'),
    token: header(request, 'x-cos-security-token') ?? queryValue(request, 'x-cos-security-token'),
    verify(secretKey, now, skewMs, ownHost) {
      if (field('q-sign-algorithm') !== 'sha1') throw accessDenied('q-sign-algorithm must be sha1');
      for (const name of ['q-sign-time', 'q-key-time']) checkTime(name, field(name), now, skewMs);
      const signKey = hmac(secretKey, field('q-key-time'));
      const params = listed(field('q-url-param-list'))
        .map((name) => `${name}=${encodeRfc3986(paramOf(request, name))}`)
        .join('&');
      for (const host of possibleHosts(request, ownHost)) {
        const headers = listed(field('q-header-list'))
          .map((name) => `${name}=${encodeRfc3986(name === 'host' ? host : (header(request, name) ?? ''))}`)
          .join('&');
        // Try all variants of the path. The scheme signs the decoded path, but some clients sign the path as sent, and
        // some omit the bucket.
        for (const path of new Set([request.path, request.rawPath, `/${request.key}`])) {
          const text = `${request.method.toLowerCase()}\n${path}\n${params}\n${headers}\n`;
          const toSign = `sha1\n${field('q-sign-time')}\n${createHash('sha1').update(text).digest('hex')}\n`;
          if (equalInConstantTime(hmac(signKey, toSign), field('q-signature'))) return undefined;
        }
      }
      throw badSignature('the signature does not match this request and key');
    },
  };
}

function fieldsOf(request: S3Request): Map<string, string> | undefined {
  const authorization = header(request, 'authorization') ?? '';
  if (authorization.includes('q-sign-algorithm=')) {
    return new Map(
      authorization.split('&').map((pair) => {
        const equals = pair.indexOf('=');
        return [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
      }),
    );
  }
  if (queryValue(request, 'q-signature') === undefined) return undefined;
  return new Map(request.query.filter(([name]) => name.startsWith('q-')));
}

function checkTime(name: string, value: string, now: number, skewMs: number): void {
  const [, start, end] = /^(\d{1,12});(\d{1,12})$/.exec(value) ?? [];
  if (start === undefined || end === undefined)
    throw accessDenied(`${name} must be two times in seconds with a semicolon between them`);
  if (now < Number(start) * 1000 - skewMs || now > Number(end) * 1000 + skewMs) throw tooSkewed();
}

function listed(list: string): string[] {
  return list
    .split(';')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
}

function paramOf(request: S3Request, name: string): string {
  return (
    request.query.find(([key]) => encodeRfc3986(key).toLowerCase() === name || key.toLowerCase() === name)?.[1] ?? ''
  );
}

function hmac(key: string, text: string): string {
  return createHmac('sha1', key).update(text).digest('hex');
}
