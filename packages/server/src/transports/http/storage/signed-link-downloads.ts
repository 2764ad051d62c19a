import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import { parseArchiveKey } from '../../../ports/zip-archive-generator.ts';
import type { VerifiedUrl } from '../../../ports/url-signer.ts';
import { safeDownloadHeaders } from './safe-download-headers.ts';

/** Adds downloads by signed link. A link works until it expires or the file is deleted. */
export function addSignedLinkDownloads(server: FastifyInstance, app: App): void {
  server.route<{ Params: { '*': string } }>({
    method: ['GET', 'HEAD'],
    url: '/files/*',
    handler: (request, reply) => sendFile(app, request, reply),
  });
}

async function sendFile(
  app: App,
  request: FastifyRequest<{ Params: { '*': string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = new URL(request.url, 'http://localhost').searchParams;
  const link = app.services.signedUrls.verify(request.params['*'], query);
  if (!link) return plain(reply, 403, 'This link has expired or was altered. Request a new one.\n');
  if (parseArchiveKey(link.blobKey)) return sendArchive(app, link, request, reply);
  const { blobs, uploads } = app.services;
  const info = (await uploads.isWithdrawn(link.blobKey)) ? undefined : await blobs.head(link.blobKey);
  if (!info) return plain(reply, 404, 'This file was deleted.\n');
  const etag = `"${info.etag}"`;
  const headers = safeDownloadHeaders(link.contentType, link.fileName, {
    type: query.get('response-content-type'),
    disposition: query.get('response-content-disposition'),
  });
  reply.headers({
    ...headers,
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'cross-origin-resource-policy': 'same-site',
  });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const condition = request.headers['if-range'];
  const range = condition === undefined || condition === etag ? rangeOf(request.headers.range, info.size) : undefined;
  if (range === 'none')
    return plain(
      reply.header('content-range', `bytes */${info.size}`),
      416,
      'The requested range is not in the file.\n',
    );
  const length = range ? range.end - range.start + 1 : info.size;
  reply.code(range ? 206 : 200).header('content-length', String(length));
  if (range) reply.header('content-range', `bytes ${range.start}-${range.end}/${info.size}`);
  if (request.method === 'HEAD') return reply.send();
  const stream = await blobs.get(link.blobKey, range);
  if (!stream)
    return plain(reply.removeHeader('content-length').removeHeader('content-range'), 404, 'This file was deleted.\n');
  return reply.send(stream);
}

/**
 * Streams a zip archive of a knowledge base while it is being built, so its length is not known in advance. If building
 * fails, the connection is closed abruptly, so that the client does not treat the archive as complete.
 */
async function sendArchive(
  app: App,
  link: VerifiedUrl,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const leave = reserveArchive(parseArchiveKey(link.blobKey)?.userId ?? '');
  if (!leave)
    return plain(
      reply.header('retry-after', '30'),
      429,
      'Two archives are already being downloaded. Try again when one has finished.\n',
    );
  let isSending = false;
  try {
    const archive = await app.services.archives.open(link.blobKey);
    if (!archive) return plain(reply, 404, 'This knowledge base was deleted or is no longer shared with you.\n');
    reply.headers({
      ...safeDownloadHeaders(link.contentType, link.fileName, { type: null, disposition: null }),
      'accept-ranges': 'none',
      'cache-control': 'private, no-store',
      'cross-origin-resource-policy': 'same-site',
    });
    if (request.method === 'HEAD') return reply.send();
    const stream = Readable.from(archive, { objectMode: false });
    stream.on('error', (error) => app.services.log.warn({ err: error }, 'an archive download did not complete'));
    stream.on('close', leave);
    isSending = true;
    return reply.send(stream);
  } finally {
    if (!isSending) leave();
  }
}

/**
 * Maximum number of zip archives that one user may download at the same time. Each download reads a whole knowledge
 * base, and a slow client makes it last long.
 */
const maxArchives = 2;
const archivesOf = new Map<string, number>();

/**
 * Adds one to the number of zip archives that the user is downloading. Returns a function that subtracts it again; the
 * caller must call it when the download ends. Returns undefined, and counts nothing, if the user is already downloading
 * the maximum number of archives. The archive must then not be sent.
 */
function reserveArchive(userId: string): (() => void) | undefined {
  const others = archivesOf.get(userId) ?? 0;
  if (others >= maxArchives) return undefined;
  archivesOf.set(userId, others + 1);
  return () => {
    const left = (archivesOf.get(userId) ?? 1) - 1;
    if (left > 0) archivesOf.set(userId, left);
    else archivesOf.delete(userId);
  };
}

/**
 * Parses the Range header of a request. Returns undefined (send the whole file) for several ranges or an unknown form,
 * as RFC 9110 allows. Returns 'none' if the range is outside the file or empty.
 */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | 'none' | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  return start >= size || (first === '' && Number(last) === 0) ? 'none' : { start, end };
}

function plain(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply
    .code(status)
    .headers({ 'content-security-policy': "default-src 'none'; sandbox", 'content-disposition': 'inline' })
    .type('text/plain; charset=utf-8')
    .send(message);
}
