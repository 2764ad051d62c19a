import type { FastifyInstance } from 'fastify';
import type { App } from '../../app.ts';
import { renderModuleMarkdown } from '../../kernel/markdown-docs.ts';
import { buildOpenApi } from '../../kernel/openapi.ts';
import { version } from '../../version.ts';
import { renderDocumentation } from './documentation.ts';

/** Stands in the OpenAPI document for the server's address, which is inserted as the client sees it. */
const urlPlaceholder = 'http://address-of-this-server';

/** Adds the endpoints without authentication: health, metrics and API documentation. */
export function addHealthAndDocs(server: FastifyInstance, app: App): void {
  const prefix = app.config.SHEAF_HEADER_PREFIXES[0] ?? 'svc-openapi';
  const description = once(() => JSON.stringify(buildOpenApi(app.registry, { url: urlPlaceholder, version, prefix })));
  const documentation = once(() =>
    renderDocumentation(app.registry.modules, app.registry.modules.map(renderModuleMarkdown)),
  );
  server.get('/healthz', async (_request, reply) => reply.type('text/plain').send('ok\n'));
  server.get('/readyz', async (_request, reply) => {
    try {
      const warnings = await app.ready();
      return reply.type('text/plain').send(['ready', ...warnings, ''].join('\n'));
    } catch (error) {
      const { message, causes } = error as Error & { causes?: readonly string[] };
      app.services.log.warn({ away: causes ?? [String(error)] }, 'not ready');
      return reply.code(503).type('text/plain').send(`${message}\n`);
    }
  });
  server.get('/metrics', async (_request, reply) =>
    reply.type('text/plain; version=0.0.4').send(await app.metrics.text()),
  );
  server.get('/openapi.json', async (request, reply) => {
    const url = app.config.SHEAF_PUBLIC_URL ?? `http://${request.headers.host ?? 'localhost'}`;
    return reply
      .type('application/json')
      .send(description().replace(JSON.stringify(urlPlaceholder), () => JSON.stringify(url)));
  });
  server.get('/docs', async (_request, reply) => {
    return reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
      )
      .send(await documentation());
  });
}

/**
 * Caches the result of `make`. It never changes while the server runs, and unauthenticated requests must not make the
 * server compute it repeatedly.
 */
function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
