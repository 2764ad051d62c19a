import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import { SizeMismatch } from '../../../ports/blob-store.ts';
import { quotaErrorMessage } from '../../../kernel/quota-message.ts';
import { QuotaExceeded } from '../../../ports/blob-accounting.ts';
import { maxUploadBytes, uploaderOf, uploadSizeOf, uploadType } from '../../../ports/import-uploads.ts';
import { IncomingRequest } from '../incoming-request.ts';
import { drainBody } from '../request-body.ts';
import { isActiveUser } from './s3-authorization.ts';

const idleTimeoutMs = 60_000;

/**
 * Adds the endpoint that receives a file to be imported. The client sends the file by PUT to a signed URL that the
 * operation `pre_import` returned. The file is streamed into the blob store.
 */
export function addImportUploads(server: FastifyInstance, app: App): void {
  server.put<{ Params: { '*': string } }>('/files/*', (request, reply) => {
    reply.hijack();
    receiveUpload(app, request).then(
      ({ status, message }) => answer(reply, request, status, message),
      (error: unknown) => {
        app.services.log.error({ err: error, requestId: request.id }, 'upload of a file to import');
        answer(reply, request, 500, 'internal error; the server log has details under the request id\n');
      },
    );
  });
}

async function receiveUpload(
  app: App,
  request: FastifyRequest<{ Params: { '*': string } }>,
): Promise<{ status: number; message: string }> {
  const { signedUrls, blobs, blobAccounting } = app.services;
  const link = signedUrls.verify(request.params['*'], new URL(request.url, 'http://localhost').searchParams);
  // Check the type of the link, because a link signed for reading must not permit writing.
  const uploader = link && uploaderOf(link.blobKey);
  if (link?.contentType !== uploadType || uploader === undefined)
    return { status: 403, message: 'This address has expired or was altered. Call pre_import again.\n' };
  if (!(await isActiveUser(app, uploader)))
    return { status: 403, message: 'The user account is suspended or closed.\n' };
  const size = Number(request.headers['content-length'] ?? Number.NaN);
  if (!Number.isInteger(size) || size < 1)
    return { status: 411, message: 'Send a content-length header of at least 1.\n' };
  if (size > maxUploadBytes) return { status: 413, message: `The file must be at most ${maxUploadBytes} bytes.\n` };
  const signedSize = uploadSizeOf(link.blobKey);
  if (signedSize !== undefined && size !== signedSize)
    return { status: 400, message: `This address takes a file of ${signedSize} bytes (got ${size}).\n` };
  if (await blobs.head(link.blobKey))
    return {
      status: 409,
      message: 'A file was already uploaded here. Call import_file, or pre_import to upload another one.\n',
    };
  if (request.raw instanceof IncomingRequest) request.raw.isUpload = true;
  request.raw.setTimeout(idleTimeoutMs, () => request.raw.destroy());
  try {
    await blobAccounting.charge(uploader, link.blobKey, size, {
      field: 'content-length',
      quotaBytes: app.config.SHEAF_QUOTA_BYTES,
    });
  } catch (error) {
    if (error instanceof QuotaExceeded) return { status: 507, message: `${quotaErrorMessage(error)}\n` };
    throw error;
  }
  try {
    await blobs.put(link.blobKey, request.raw, size);
  } catch (error) {
    // Release the quota charge only if there is no file. A concurrent upload with the same key may have succeeded, and
    // its file remains charged.
    if (!(await blobs.head(link.blobKey))) await blobAccounting.release(link.blobKey);
    if (error instanceof SizeMismatch || request.raw.destroyed)
      return { status: 400, message: 'The body length did not match content-length.\n' };
    throw error;
  }
  return { status: 200, message: '' };
}

function answer(reply: FastifyReply, request: FastifyRequest, status: number, message: string): void {
  const { raw } = reply;
  if (raw.destroyed) return;
  const close = request.raw.complete ? {} : { connection: 'close' };
  raw.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(message)),
    'x-content-type-options': 'nosniff',
    'x-request-id': request.id,
    ...close,
  });
  if (request.raw.complete) return void raw.end(message);
  raw.write(message);
  drainBody(request.raw, () => raw.end());
}
