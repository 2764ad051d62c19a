import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderCover } from '../../lib/generated-cover.ts';
import { sha256 } from '../../lib/hash.ts';
import { accountHeader, sessionCookie } from './authenticate.ts';

/**
 * Content security policy of the web page. It allows only scripts of this origin, no framing by other sites and no
 * requests to other servers. Images may come from any site, because notes show them.
 */
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob: https:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "frame-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const securityHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
};

/**
 * Headers of the page `/p`, which shows an object that was shared by a public link. They forbid search engines to index
 * the page, and browsers to send its URL as a referrer.
 */
const noIndexHeaders = { 'x-robots-tag': 'noindex, nofollow, noarchive', 'referrer-policy': 'no-referrer' };

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};

/** Files that browsers or server-rendered pages request at the root path. */
const publicFiles = [
  'theme.js',
  'favicon.svg',
  'manifest.webmanifest',
  'icon-192.png',
  'icon-512.png',
  'icon-maskable-512.png',
];

/** Headers that allow the service worker to control all pages of this origin. */
const workerHeaders = { 'service-worker-allowed': '/' };

const immutable = `public, max-age=${365 * 24 * 60 * 60}, immutable`;

interface CachedFile {
  bytes: Buffer;
  etag: string;
  modified: number;
}

/**
 * Returns the folder of the built web page: next to the bundle, or in dist/ when run from source (tests). Returns
 * undefined if the page is not built.
 */
function webAppFolder(): string | undefined {
  const places = ['./web', '../web', '../../../../../dist/web'].map((folder) =>
    fileURLToPath(new URL(folder, import.meta.url)),
  );
  return places.find((place) => existsSync(join(place, 'index.html')));
}

/**
 * Returns the name of the HTML document for a URL. The build makes one document per route, which preloads the files of
 * that route. `/` is `-`, `/notes` is `notes`, and every further path segment is an `x`, as in `wiki-x`. URLs without a
 * document get index.html.
 */
function documentName(url: string): string {
  const [area = '', ...parts] = url
    .split('?')[0]!
    .split('/')
    .filter((part) => part !== '');
  return /^[a-z]+$/.test(area) ? [area, ...parts.slice(0, 9).map(() => 'x')].join('-') : '-';
}

export interface WebApp {
  /**
   * Sends the web page if a browser requested a document. Returns false for other requests, and if the web page is not
   * built.
   */
  answer(request: FastifyRequest, reply: FastifyReply): Promise<boolean>;
}

/** Adds the web page at `/` and at all client-side routes, the page's files, and generated cover images. */
export function addWebApp(server: FastifyInstance): WebApp {
  const kept = new Map<string, CachedFile>();

  const load = async (path: string): Promise<CachedFile | undefined> => {
    const info = await stat(path).catch(() => undefined);
    if (!info?.isFile()) return undefined;
    const known = kept.get(path);
    if (known?.modified === info.mtimeMs) return known;
    const bytes = await readFile(path);
    const fresh = { bytes, etag: `"${sha256(bytes).slice(0, 22)}"`, modified: info.mtimeMs };
    kept.set(path, fresh);
    return fresh;
  };

  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    cacheControl: string,
  ): Promise<boolean> => {
    const folder = webAppFolder();
    if (folder === undefined) return false;
    const path = join(folder, name);
    const accepted = String(request.headers['accept-encoding'] ?? '');
    for (const [encoding, ending] of [
      ['br', '.br'],
      ['gzip', '.gz'],
      ['', ''],
    ] as const) {
      if (encoding !== '' && !accepted.includes(encoding)) continue;
      const file = await load(path + ending);
      if (!file) continue;
      reply.headers({ 'cache-control': cacheControl, etag: file.etag, ...securityHeaders });
      if (!reply.hasHeader('vary')) reply.header('vary', 'accept-encoding');
      if (encoding !== '') reply.header('content-encoding', encoding);
      if (request.headers['if-none-match'] === file.etag) await reply.code(304).send();
      else
        await reply
          .code(200)
          .type(types[extname(name)] ?? 'application/octet-stream')
          .send(file.bytes);
      return true;
    }
    return false;
  };

  /**
   * Sends the HTML document of a URL. Returns false if the web page is not built. Visitors without a session cookie get
   * index.html with a mark, so that the page skips requests that would be refused.
   */
  const sendDocument = async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    reply.header('vary', 'accept-encoding, cookie');
    if (/^\/p([/?]|$)/.test(request.url)) reply.headers(noIndexHeaders);
    const isGuest = !String(request.headers.cookie ?? '').includes(`${sessionCookie}=`);
    const own = `${documentName(request.url)}.html`;
    if (!isGuest)
      return (await send(request, reply, own, 'no-cache')) || send(request, reply, 'index.html', 'no-cache');
    const folder = webAppFolder();
    const file = folder === undefined ? undefined : await load(join(folder, 'index.html'));
    if (!file) return false;
    const html = file.bytes.toString('utf8').replace('<html ', '<html data-guest ');
    await reply
      .headers({ 'cache-control': 'no-cache', [accountHeader]: 'none', ...securityHeaders })
      .type(types['.html']!)
      .send(html);
    return true;
  };

  const answer: WebApp['answer'] = async (request, reply) => {
    const isDocument =
      (request.method === 'GET' || request.method === 'HEAD') &&
      String(request.headers.accept ?? '').includes('text/html');
    return (
      isDocument &&
      !/^\/(openapi|mcp|assets|files)(\/|$)/.test(request.url.split('?')[0]!) &&
      (await sendDocument(request, reply))
    );
  };

  server.get('/', async (request, reply) => {
    if (await sendDocument(request, reply)) return reply;
    return reply
      .type('text/plain')
      .send('The web interface is not built; run npm run build. GET /docs lists the operations.\n');
  });
  for (const name of publicFiles) {
    server.get(`/${name}`, async (request, reply) =>
      (await send(request, reply, name, 'no-cache')) ? reply : reply.callNotFound(),
    );
  }
  server.get('/service-worker.js', async (request, reply) => {
    reply.headers(workerHeaders);
    return (await send(request, reply, 'service-worker.js', 'no-cache')) ? reply : reply.callNotFound();
  });
  // When a user shares content from another app to the installed web page, the operating system sends this request. The
  // service worker normally handles it. Without a service worker, the request arrives at the server, which ignores the
  // content.
  server.post('/share', (_request, reply) => reply.redirect('/share', 303));
  server.get('/assets/:name', async (request, reply) => {
    const { name } = request.params as { name: string };
    const known = /^[\w-][\w.-]*$/.test(name) && (await send(request, reply, `assets/${name}`, immutable));
    return known ? reply : reply.callNotFound();
  });
  // Serve the generated cover images of knowledge bases. Access is not checked, because the URL contains all that the
  // image shows.
  server.get('/covers/:name', async (request, reply) => {
    const picture = renderCover(request.url.split('?')[0]!);
    return picture ? reply.header('cache-control', immutable).type('image/png').send(picture) : reply.callNotFound();
  });
  return { answer };
}
