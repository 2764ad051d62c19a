import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from '../../../app.ts';
import { uploadBucket } from '../../../ports/upload-credentials.ts';
import { IncomingRequest } from '../incoming-request.ts';
import { requestIdOf } from '../request.ts';
import { drainBody } from '../request-body.ts';
import { runS3Action, type S3Result } from './s3-actions.ts';
import { authorizeS3Request, isActiveUser } from './s3-authorization.ts';
import { corsHeaders } from './cors.ts';
import { accessDenied, S3EndpointError, toXml, xmlHead } from './s3-error.ts';
import { readS3Request } from './s3-request.ts';
import { MultipartUploadLimit } from './multipart-upload-limit.ts';

/** Time in milliseconds without data after which an upload is aborted. */
const idleTimeoutMs = 60_000;

/**
 * Creates the S3-compatible storage endpoint. It handles requests without Fastify, because their bodies are streamed
 * into the blob store. The returned function answers a request and returns true if it is an S3 request, otherwise it
 * returns false. S3 requests are recognized by the bucket name in Host or path, or by headers and query parameters of
 * S3 clients.
 */
export function createS3Endpoint(app: App): (request: IncomingMessage, response: ServerResponse) => boolean {
  const begun = new MultipartUploadLimit();
  return (request, response) => {
    if (!isS3Request(request)) return false;
    const requestId = requestIdOf(request);
    handle(app, begun, request, response, requestId).catch((error: unknown) => {
      app.services.log.error({ err: error, requestId }, 'object storage');
      response.destroy();
    });
    return true;
  };
}

const bucketPath = new RegExp(`^/${uploadBucket.name}(?:[/?]|$)`);
const bucketHost = `${uploadBucket.name}.`;
const signedAddress = /[?&](q-sign-algorithm|X-Amz-Algorithm|x-cos-security-token)=/;

function isS3Request({ url = '/', headers, method }: IncomingMessage): boolean {
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
  begun: MultipartUploadLimit,
  raw: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<void> {
  const cors = corsHeaders(raw.headers.origin, raw.headers.host, app.publicUrl.origin);
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
  raw.setTimeout(idleTimeoutMs, () => raw.destroy());
  let result: S3Result;
  try {
    const request = readS3Request(raw);
    const authorized = authorizeS3Request(app, request);
    if (!(await isActiveUser(app, authorized.grant.userId)))
      throw accessDenied('the user account is suspended or closed');
    if (raw instanceof IncomingRequest && raw.method === 'PUT') raw.isUpload = true;
    result = await runS3Action({ app, request, raw, authorized, uploadLimit: begun });
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
  // Read the rest of the body before closing the connection. Closing it while the client is sending would lose the
  // answer.
  if (body !== undefined) response.write(body);
  drainBody(raw, () => response.end());
}

function refusal(app: App, error: unknown, raw: IncomingMessage, requestId: string): S3Result {
  const known = toS3EndpointError(error);
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

function toS3EndpointError(error: unknown): S3EndpointError {
  if (error instanceof S3EndpointError) return error;
  const isBusy = error instanceof Error && 'retryable' in error && error.retryable === true;
  if (isBusy) return new S3EndpointError(503, 'ServiceUnavailable', 'the store is temporarily unavailable; try again');
  return new S3EndpointError(500, 'InternalError', 'internal error; the server log has details under the request id');
}
