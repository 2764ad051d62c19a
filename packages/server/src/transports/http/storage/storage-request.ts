import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { bucket } from '../../../ports/uploads.ts';
import { badRequest } from './storage-error.ts';

/** The parsed parts of a request that the signature checks and the endpoint need. */
export interface StorageRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The path as sent, percent-encoded. */
  readonly rawPath: string;
  /** The decoded path. */
  readonly path: string;
  /** The object key: the path without the bucket; '' for the bucket itself. */
  readonly key: string;
  /** Decoded names and values, in the order sent. */
  readonly query: readonly (readonly [string, string])[];
}

export function readStorageRequest(raw: IncomingMessage): StorageRequest {
  const url = raw.url ?? '/';
  const mark = url.indexOf('?');
  const rawPath = mark < 0 ? url : url.slice(0, mark);
  const path = decoded(rawPath);
  const inBucket =
    path === `/${bucket.name}`
      ? ''
      : path.startsWith(`/${bucket.name}/`)
        ? path.slice(bucket.name.length + 2)
        : undefined;
  const text = mark < 0 ? '' : url.slice(mark + 1);
  const query = text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      return equals < 0
        ? ([decoded(pair), ''] as const)
        : ([decoded(pair.slice(0, equals)), decoded(pair.slice(equals + 1))] as const);
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

export function queryValue(request: StorageRequest, name: string): string | undefined {
  return request.query.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

export function header(request: StorageRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) throw badRequest('InvalidURI', 'the address contains an invalid percent encoding');
    throw error;
  }
}

/** RFC 3986: everything but letters, digits and -._~ is encoded. */
export function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * The hosts that a client may have signed: the one it sent, and, because a proxy may have replaced it, our own host and
 * the bucket's standard one.
 */
export function possibleHosts(request: StorageRequest, ownHost: string): string[] {
  const standard = `${bucket.name}.cos.${bucket.region}.myqcloud.com`;
  const hosts = [
    header(request, 'host'),
    header(request, 'x-forwarded-host'),
    ownHost,
    `${bucket.name}.${ownHost}`,
    standard,
  ].filter((host) => host !== undefined);
  return [...new Set(hosts.flatMap((host) => [host, host.replace(/:(80|443)$/, '')]))];
}
