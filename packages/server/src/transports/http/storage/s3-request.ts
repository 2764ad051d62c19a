import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { uploadBucket } from '../../../ports/upload-credentials.ts';
import { badRequest } from './s3-error.ts';

/** Parts of an S3 request that the endpoint and signature verification need. */
export interface S3Request {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** Path of the URL as sent, percent-encoded. */
  readonly rawPath: string;
  readonly path: string;
  /** Object key: the path without the bucket. It is '' for the bucket itself. */
  readonly key: string;
  /** Decoded names and values of the query, in the order sent. */
  readonly query: readonly (readonly [string, string])[];
}

export function readS3Request(raw: IncomingMessage): S3Request {
  const url = raw.url ?? '/';
  const mark = url.indexOf('?');
  const rawPath = mark < 0 ? url : url.slice(0, mark);
  const path = decodePercent(rawPath);
  const inBucket =
    path === `/${uploadBucket.name}`
      ? ''
      : path.startsWith(`/${uploadBucket.name}/`)
        ? path.slice(uploadBucket.name.length + 2)
        : undefined;
  const text = mark < 0 ? '' : url.slice(mark + 1);
  const query = text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      return equals < 0
        ? ([decodePercent(pair), ''] as const)
        : ([decodePercent(pair.slice(0, equals)), decodePercent(pair.slice(equals + 1))] as const);
    });
  return {
    method: raw.method ?? 'GET',
    headers: raw.headers,
    rawPath,
    path,
    key: inBucket ?? path.replace(/^\//, ''),
    query,
  };
}

export function queryValue(request: S3Request, name: string): string | undefined {
  return request.query.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

export function header(request: S3Request, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) throw badRequest('InvalidURI', 'the address contains an invalid percent encoding');
    throw error;
  }
}

/** Percent-encodes all characters except letters, digits and -._~ (RFC 3986), as S3 signatures require. */
export function encodeRfc3986(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * Returns the hosts that the client may have used in its signature: the received host, our own host, and the host that
 * SDKs of Tencent Cloud use for the bucket by default. A proxy may have replaced the host that the client sent.
 */
export function possibleHosts(request: S3Request, ownHost: string): string[] {
  const standard = `${uploadBucket.name}.cos.${uploadBucket.region}.myqcloud.com`;
  const hosts = [
    header(request, 'host'),
    header(request, 'x-forwarded-host'),
    ownHost,
    `${uploadBucket.name}.${ownHost}`,
    standard,
  ].filter((host) => host !== undefined);
  return [...new Set(hosts.flatMap((host) => [host, host.replace(/:(80|443)$/, '')]))];
}
