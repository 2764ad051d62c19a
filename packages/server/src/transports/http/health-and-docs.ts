import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { renderModuleMarkdown } from '../../kernel/markdown-docs.ts';
import { buildOpenApi } from '../../kernel/openapi.ts';
import { version } from '../../version.ts';
import { renderDocumentation } from './documentation.ts';

/** Placeholder for the server's address in the OpenAPI document. It is replaced by the address that the client uses. */
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
  const urlFor = ({ headers }: FastifyRequest): string =>
    app.config.SHEAF_PUBLIC_URL ?? `http://${headers.host ?? 'localhost'}`;
  server.get('/openapi.json', async (request, reply) =>
    reply
      .type('application/json')
      .send(description().replace(JSON.stringify(urlPlaceholder), () => JSON.stringify(urlFor(request)))),
  );
  server.get('/llms.txt', async (request, reply) =>
    reply.type('text/plain; charset=utf-8').send(llmsText(app, urlFor(request))),
  );
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

/** Returns the overview for language models that agents look for under /llms.txt. */
function llmsText({ registry }: App, url: string): string {
  return [
    '# sheaf',
    '',
    '> A workspace that people and agents share: knowledge bases, notes and spreadsheets.',
    '',
    `Agents connect over MCP at ${url}/mcp, with OAuth or with an API key as a bearer token. Programs call the same`,
    `operations over HTTP: POST ${url}/openapi/<module>/v1/<operation> with a JSON body.`,
    '',
    '## Documentation',
    '',
    `- [Operations](${url}/docs): every operation with its fields, limits and error codes`,
    `- [OpenAPI](${url}/openapi.json): the same as a machine reads it`,
    '',
    '## Modules',
    '',
    ...registry.modules.map(({ name, title, summary }) => `- ${name} (${title}): ${summary}`),
    '',
  ].join('\n');
}

/**
 * Caches the result of `make`. It never changes while the server runs, and unauthenticated requests must not make the
 * server compute it repeatedly.
 */
function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
