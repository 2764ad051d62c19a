/**
 * Signs and sends requests to the S3-compatible upload endpoint, for tests of requests that a client library cannot
 * send.
 */
import { createHash, createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import COS from 'cos-nodejs-sdk-v5';
import type { UploadCredential } from '@sheaf/server/ports/upload-credentials.ts';

export interface RawAnswer {
  status: number;
  /** Error code from the XML of a rejected request; otherwise ''. */
  code: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface RawRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: Uint8Array | string;
}

/**
 * Sends a request to the server at `address` with exactly the given path, headers and body. The Host header may name
 * another server.
 */
export function sendRaw(address: string, given: RawRequest): Promise<RawAnswer> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, method: given.method ?? 'PUT', path: given.path, headers: { ...given.headers }, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const body = Buffer.concat(chunks).toString('utf8');
          resolve({
            status: response.statusCode!,
            code: /<Code>([^<]*)<\/Code>/.exec(body)?.[1] ?? '',
            headers: response.headers,
            body,
          });
        });
      },
    );
    request.on('error', reject);
    request.end(given.body);
  });
}

export interface Sha1Options {
  method?: string;
  path?: string;
  query?: Record<string, string>;
  host?: string;
  /** Seconds by which the client's clock is ahead; negative if it is behind. */
  skew?: number;
}

/** Returns request headers signed with the SHA-1 scheme of COS, the object storage of Tencent. */
export function sha1Headers(credential: UploadCredential, options: Sha1Options = {}): Record<string, string> {
  const start = Math.floor(Date.now() / 1000) + (options.skew ?? 0);
  const host = options.host ?? credential.custom_domain;
  const authorization = COS.getAuthorization({
    SecretId: credential.secret_id,
    SecretKey: credential.secret_key,
    Method: options.method ?? 'PUT',
    Pathname: options.path ?? `/${credential.cos_key}`,
    Query: options.query ?? {},
    Headers: { host },
    KeyTime: `${start};${start + 60}`,
  } as Parameters<typeof COS.getAuthorization>[0]);
  return { host, authorization, 'x-cos-security-token': credential.token };
}

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

export interface V4Options {
  method?: string;
  path?: string;
  payload?: string;
  headers?: Record<string, string>;
  skew?: number;
}

/**
 * Returns request headers signed with AWS Signature V4. For a body streamed in chunks, `chunk` returns the signature of
 * the next chunk.
 */
export function v4Headers(
  credential: UploadCredential,
  options: V4Options = {},
): { headers: Record<string, string>; chunk(bytes: Uint8Array): string } {
  const date = new Date(Date.now() + (options.skew ?? 0) * 1000).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = `${date.slice(0, 8)}/${credential.region}/s3/aws4_request`;
  const headers: Record<string, string> = {
    host: credential.custom_domain,
    'x-amz-content-sha256': options.payload ?? 'UNSIGNED-PAYLOAD',
    'x-amz-date': date,
    'x-amz-security-token': credential.token,
    ...options.headers,
  };
  const names = Object.keys(headers).sort();
  const canonical = [
    options.method ?? 'PUT',
    options.path ?? `/${credential.cos_key}`,
    '',
    ...names.map((name) => `${name}:${headers[name]}`),
    '',
    names.join(';'),
    headers['x-amz-content-sha256'],
  ].join('\n');
  const key = ['aws4_request'].reduce(
    (parent, part) => hmac(parent, part),
    [date.slice(0, 8), credential.region, 's3'].reduce<Buffer>(
      (parent, part) => hmac(parent, part),
      Buffer.from(`AWS4${credential.secret_key}`),
    ),
  );
  let previous = hmac(key, `AWS4-HMAC-SHA256\n${date}\n${scope}\n${sha256(canonical)}`).toString('hex');
  headers['authorization'] =
    `AWS4-HMAC-SHA256 Credential=${credential.secret_id}/${scope}, SignedHeaders=${names.join(';')}, Signature=${previous}`;
  return {
    headers,
    chunk(bytes) {
      previous = hmac(
        key,
        `AWS4-HMAC-SHA256-PAYLOAD\n${date}\n${scope}\n${previous}\n${sha256('')}\n${sha256(bytes)}`,
      ).toString('hex');
      return previous;
    },
  };
}
