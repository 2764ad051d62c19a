import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import { availableScopes } from '../../../kernel/oauth-scopes.ts';
import { addPublicDocument } from '../cross-origin.ts';
import { mcpPaths } from '../mcp-endpoint.ts';
import { oauthBaseUrl, operationsResource, resourceMetadataPath } from './protected-resource.ts';

/**
 * Returns the paths of the OAuth resources for which access tokens can be issued: the MCP endpoints and the HTTP
 * operations. The first one is the default.
 */
export function protectedResources(app: App): string[] {
  return [...mcpPaths(app.registry).keys(), operationsResource];
}

/** Adds the OAuth metadata documents, from which an app that knows only the server's URL learns how to connect. */
export function addMetadataEndpoints(server: FastifyInstance, app: App): void {
  const resources = protectedResources(app);
  const describe = (request: FastifyRequest, reply: FastifyReply, resource: string): FastifyReply => {
    const base = oauthBaseUrl(app, request.raw);
    if (base === undefined) return refuse(reply);
    return reply.header('cache-control', 'no-cache').send({
      resource: base + resource,
      authorization_servers: [base],
      scopes_supported: availableScopes(app.registry),
      bearer_methods_supported: ['header'],
      resource_name: 'sheaf',
      resource_documentation: `${base}/docs`,
    });
  };
  // Describe the MCP endpoint to clients that request the metadata without a resource path.
  addPublicDocument(server, resourceMetadataPath, (request, reply) => describe(request, reply, resources[0]!));
  for (const resource of resources)
    addPublicDocument(server, resourceMetadataPath + resource, (request, reply) => describe(request, reply, resource));

  addPublicDocument(server, '/.well-known/oauth-authorization-server', (request, reply) => {
    const base = oauthBaseUrl(app, request.raw);
    if (base === undefined) return refuse(reply);
    return reply.header('cache-control', 'no-cache').send({
      issuer: base,
      authorization_endpoint: `${base}/oauth/authorize`,
      token_endpoint: `${base}/oauth/token`,
      registration_endpoint: `${base}/oauth/register`,
      revocation_endpoint: `${base}/oauth/revoke`,
      scopes_supported: availableScopes(app.registry),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      service_documentation: `${base}/docs`,
    });
  });
}

function refuse(reply: FastifyReply): FastifyReply {
  return reply.code(404).send({
    code: 404,
    msg:
      'apps can connect to this server only under https, or on the computer it runs on: set SHEAF_PUBLIC_URL to its ' +
      'https address, or use an API key',
    data: {},
  });
}
