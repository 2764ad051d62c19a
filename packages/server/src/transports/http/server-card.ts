import type { FastifyInstance } from 'fastify';
import type { App } from '../../app.ts';
import { protocolVersions } from '../mcp/request-meta.ts';
import { serverInfo } from '../mcp/result-format.ts';
import { addPublicDocument } from './cross-origin.ts';
import { servedUrl } from './health-and-docs.ts';
import { crossOriginPath } from './mcp-endpoint.ts';

const cardPath = `${crossOriginPath}/server-card`;
const catalogPath = '/.well-known/ai-catalog.json';
const cardType = 'application/mcp-server-card+json';

/**
 * Adds the MCP server card (SEP-2127), which tells a client how to connect, and the catalog in which a client that
 * knows only the host finds the card. Both are public.
 */
export function addServerCard(server: FastifyInstance, app: App): void {
  const serve = (path: string, type: string, body: (url: string) => object): void =>
    addPublicDocument(server, path, (request, reply) =>
      reply
        .type(type)
        // Without a configured address the document repeats the Host header, so caches must not share it.
        .header('cache-control', app.config.SHEAF_PUBLIC_URL === undefined ? 'no-cache' : 'public, max-age=3600')
        .send(JSON.stringify(body(servedUrl(app, request)))),
    );
  serve(cardPath, cardType, (url) => ({
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${reversedHost(url)}/${serverInfo.name}`,
    title: serverInfo.title,
    version: serverInfo.version,
    description: 'Knowledge bases, notes and spreadsheets that people and agents share.',
    websiteUrl: `${url}/docs`,
    remotes: [{ type: 'streamable-http', url: url + crossOriginPath, supportedProtocolVersions: protocolVersions }],
  }));
  serve(catalogPath, 'application/ai-catalog+json', (url) => ({
    specVersion: '1.0',
    entries: [{ identifier: `urn:air:${hostOf(url)}:mcp:${serverInfo.name}`, type: cardType, url: url + cardPath }],
  }));
}

/**
 * Returns the host name of a URL. Returns `localhost` for an IPv6 address, because the names of MCP server cards allow
 * no colons, and for an invalid URL.
 */
function hostOf(url: string): string {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return /^[\w.-]+$/.test(host) ? host : 'localhost';
}

/**
 * Returns the host name of a URL with its parts in reverse order, such as `com.example` for `example.com`. The names of
 * MCP server cards begin in this way. An IPv4 address is not reversed.
 */
function reversedHost(url: string): string {
  const host = hostOf(url);
  return /^[\d.]+$/.test(host) ? host : host.split('.').toReversed().join('.');
}
