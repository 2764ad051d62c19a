import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import { WrongSize } from '../../../ports/blob-store.ts';
import { noRoomFor } from '../../../operation/no-room.ts';
import { StorageFull } from '../../../ports/kept-objects.ts';
import { maxUploadBytes, uploaderOf, uploadType } from '../../../ports/import-uploads.ts';
import { drain } from '../drain.ts';
import { Incoming } from '../incoming.ts';
import { isActive } from './is-active.ts';

const silenceMs = 60_000;

/** PUT to a pre_import URL: streams the body into the blob store, before Fastify reads it. */
export function addImports(server: FastifyInstance, app: App): void {
  server.route<{ Params: { '*': string } }>({
    method: 'PUT',
    url: '/files/*',
    onRequest: (request, reply, done) => {
      reply.hijack();
      put(app, request, reply).then(
        ({ status, message }) => answer(reply, request, status, message),
        (error: unknown) => {
          app.services.log.error({ err: error, requestId: request.id }, 'upload of a file to import');
          answer(reply, request, 500, 'internal error; the server log has details under the request id\n');
        },
      );
      void done;
    },
    handler: async () => undefined,
  });
}

async function put(
  app: App,
  request: FastifyRequest<{ Params: { '*': string } }>,
  _reply: FastifyReply,
): Promise<{ status: number; message: string }> {
  const { links, blobs, kept } = app.services;
  const link = links.open(request.params['*'], new URL(request.url, 'http://localhost').searchParams);
  // A link signed for reading must not permit writing.
  const uploader = link && uploaderOf(link.blobKey);
  if (link?.contentType !== uploadType || uploader === undefined)
    return { status: 403, message: 'This address has expired or was altered. Call pre_import again.\n' };
  if (!(await isActive(app, uploader))) return { status: 403, message: 'The user account is suspended or closed.\n' };
  const size = Number(request.headers['content-length'] ?? Number.NaN);
  if (!Number.isInteger(size) || size < 1)
    return { status: 411, message: 'Send a content-length header of at least 1.\n' };
  if (size > maxUploadBytes) return { status: 413, message: `The file must be at most ${maxUploadBytes} bytes.\n` };
  if (await blobs.head(link.blobKey))
    return {
      status: 409,
      message: 'A file was already uploaded here. Call import_file, or pre_import to upload another one.\n',
    };
  if (request.raw instanceof Incoming) request.raw.isUpload = true;
  request.raw.setTimeout(silenceMs, () => request.raw.destroy());
  try {
    await kept.keep(uploader, link.blobKey, size, {
      field: 'content-length',
      quotaBytes: app.config.SHEAF_QUOTA_BYTES,
    });
  } catch (error) {
    if (error instanceof StorageFull) return { status: 507, message: `${noRoomFor(error)}\n` };
    throw error;
  }
  try {
    await blobs.put(link.blobKey, request.raw, size);
  } catch (error) {
    // A concurrent upload to the same key may have succeeded; its file stays and is counted.
    if (!(await blobs.head(link.blobKey))) await kept.release(link.blobKey);
    if (error instanceof WrongSize || request.raw.destroyed)
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
  drain(request.raw, () => raw.end());
}
