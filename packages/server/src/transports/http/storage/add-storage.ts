import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from '../../../app.ts';
import { bucket } from '../../../ports/uploads.ts';
import { drain } from '../drain.ts';
import { Incoming } from '../incoming.ts';
import { requestIdOf } from '../request-id.ts';
import { act, type Result } from './actions.ts';
import { authorize } from './authorize.ts';
import { corsHeaders } from './cors.ts';
import { accessDenied, StorageError, toXml, xmlHead } from './storage-error.ts';
import { isActive } from './is-active.ts';
import { readStorageRequest } from './storage-request.ts';
import { UploadsOfCredential } from './uploads-of-credential.ts';

/** Idle timeout of an upload. */
const silenceMs = 60_000;

/**
 * The S3-compatible storage endpoint. Recognizes requests by the bucket name in Host or path, or by their signature
 * scheme, and answers before Fastify, because bodies stream into the blob store. The returned function is true if it
 * took the request.
 */
export function storageEndpoint(app: App): (request: IncomingMessage, response: ServerResponse) => boolean {
  const begun = new UploadsOfCredential();
  return (request, response) => {
    if (!isForStorage(request)) return false;
    const requestId = requestIdOf(request);
    handle(app, begun, request, response, requestId).catch((error: unknown) => {
      app.services.log.error({ err: error, requestId }, 'object storage');
      response.destroy();
    });
    return true;
  };
}

const bucketPath = new RegExp(`^/${bucket.name}(?:[/?]|$)`);
const bucketHost = `${bucket.name}.`;
const signedAddress = /[?&](q-sign-algorithm|X-Amz-Algorithm|x-cos-security-token)=/;

function isForStorage({ url = '/', headers, method }: IncomingMessage): boolean {
  if (headers.host?.startsWith(bucketHost) || bucketPath.test(url)) return true;
  const { authorization } = headers;
  if (
    authorization !== undefined &&
    (authorization.startsWith('q-sign-algorithm=') || authorization.startsWith('AWS4-HMAC-SHA256'))
  )
    return true;
  if (headers['x-cos-security-token'] !== undefined || headers['x-amz-security-token'] !== undefined) return true;
  if (method === 'OPTIONS' && /x-(cos|amz)-/i.test(headers['access-control-request-headers'] ?? '')) return true;
  return url.includes('?') && signedAddress.test(url);
}

async function handle(
  app: App,
  begun: UploadsOfCredential,
  raw: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<void> {
  const cors = corsHeaders(raw.headers.origin, raw.headers.host, app.address.origin);
  const common = {
    ...cors,
    'x-cos-request-id': requestId,
    'x-amz-request-id': requestId,
    'x-content-type-options': 'nosniff',
  };
  if (raw.method === 'OPTIONS') {
    response.writeHead(cors['access-control-allow-origin'] === undefined ? 403 : 204, common).end();
    return;
  }
  raw.setTimeout(silenceMs, () => raw.destroy());
  let result: Result;
  try {
    const request = readStorageRequest(raw);
    const authorized = authorize(app, request);
    if (!(await isActive(app, authorized.grant.userId))) throw accessDenied('the user account is suspended or closed');
    if (raw instanceof Incoming && raw.method === 'PUT') raw.isUpload = true;
    result = await act({ app, request, raw, authorized, begun });
  } catch (error) {
    if (raw.errored || (raw.destroyed && !raw.complete)) {
      response.destroy();
      return;
    }
    result = refusal(app, error, raw, requestId);
  }
  const body = raw.method === 'HEAD' ? undefined : result.xml;
  const headers: Record<string, string> = {
    ...common,
    ...result.headers,
    'content-length': String(Buffer.byteLength(body ?? '')),
  };
  if (result.status === 204) delete headers['content-length'];
  if (body !== undefined) headers['content-type'] = 'application/xml';
  if (!raw.complete) headers['connection'] = 'close';
  response.writeHead(result.status, headers);
  if (raw.complete) {
    response.end(body);
    raw.setTimeout(0);
    return;
  }
  // Read the rest of the body before closing: closing while the client is sending would lose the answer.
  if (body !== undefined) response.write(body);
  drain(raw, () => response.end());
}

function refusal(app: App, error: unknown, raw: IncomingMessage, requestId: string): Result {
  const known = asStorageError(error);
  if (known.status >= 500) app.services.log.warn({ err: error, requestId }, 'object storage');
  const resource = (raw.url ?? '').split('?')[0]!.slice(0, 1024);
  const fields = {
    Code: known.code,
    Message: known.message,
    Resource: resource,
    RequestId: requestId,
    ServerTime: new Date(app.services.clock.now()).toISOString(),
  };
  return { status: known.status, xml: xmlHead + toXml('Error', fields) };
}

function asStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const isBusy = error instanceof Error && 'retryable' in error && error.retryable === true;
  if (isBusy) return new StorageError(503, 'ServiceUnavailable', 'the store is temporarily unavailable; try again');
  return new StorageError(500, 'InternalError', 'internal error; the server log has details under the request id');
}
