import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { renderModuleMarkdown } from '../../kernel/markdown-docs.ts';
import { buildOpenApi } from '../../kernel/openapi.ts';
import { equalInConstantTime } from '../../lib/timing-safe-equal.ts';
import { skillMimeType, skills } from '../skills.ts';
import { version } from '../../version.ts';
import { renderDocumentation } from './documentation.ts';

/**
 * Placeholder for the server's address in the prepared OpenAPI document. Each response contains the actual address
 * instead, as `servedUrl` returns it.
 */
const urlPlaceholder = 'http://address-of-this-server';

/**
 * Adds the endpoints for health, metrics and API documentation. They need no authentication, except that the metrics
 * need a token if SHEAF_METRICS_TOKEN is set.
 */
export function addHealthAndDocs(server: FastifyInstance, app: App): void {
  const prefix = app.config.SHEAF_HEADER_PREFIXES[0] ?? 'svc-openapi';
  const description = once(() => {
    const text = JSON.stringify(buildOpenApi(app.registry, { url: urlPlaceholder, version, prefix }));
    const [before = '', after = ''] = text.split(JSON.stringify(urlPlaceholder));
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16);
    return { before: Buffer.from(before), after: Buffer.from(after), hash };
  });
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
  server.get('/metrics', async (request, reply) => {
    const token = app.config.SHEAF_METRICS_TOKEN;
    if (token !== undefined && !equalInConstantTime(`Bearer ${token}`, request.headers.authorization ?? ''))
      return reply
        .code(401)
        .header('www-authenticate', 'Bearer')
        .type('text/plain')
        .send('send the token of SHEAF_METRICS_TOKEN as Authorization: Bearer\n');
    return reply.type('text/plain; version=0.0.4').send(await app.metrics.text());
  });
  const urlFor = (request: FastifyRequest): string => servedUrl(app, request);
  server.get('/openapi.json', async (request, reply) => {
    const { before, after, hash } = description();
    const url = JSON.stringify(urlFor(request));
    const tag = `"${hash}-${createHash('sha256').update(url).digest('base64url').slice(0, 8)}"`;
    reply.type('application/json').header('etag', tag).header('cache-control', 'no-cache');
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    return reply.send(Buffer.concat([before, Buffer.from(url), after]));
  });
  server.get('/llms.txt', async (request, reply) =>
    reply.type('text/plain; charset=utf-8').send(llmsText(app, urlFor(request))),
  );
  server.get('/skills', async (request, reply) =>
    reply.send({
      skills: skills().map(({ name, description, path, digest }) => ({
        name,
        description,
        url: urlFor(request) + path,
        digest,
      })),
    }),
  );
  for (const { path, text } of skills())
    server.get(path, async (_request, reply) => reply.type(`${skillMimeType}; charset=utf-8`).send(text));
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

/** Returns the address of this server: the configured one, else the one that the client used. */
export function servedUrl({ config }: App, { headers }: FastifyRequest): string {
  return config.SHEAF_PUBLIC_URL ?? `http://${headers.host ?? 'localhost'}`;
}

/** Returns the overview for language models, served as /llms.txt. */
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
    '## Skills',
    '',
    ...skills().map(({ name, description, path }) => `- [${name}](${url}${path}): ${description}`),
    '',
    '## Modules',
    '',
    ...registry.modules.map(({ name, title, summary }) => `- ${name} (${title}): ${summary}`),
    '',
  ].join('\n');
}

/**
 * Returns a function that calls `make` once and then always returns the same result. Without this cache,
 * unauthenticated requests could make the server compute the result repeatedly.
 */
function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
