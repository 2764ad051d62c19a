import type { FastifyInstance } from 'fastify';
import type { App } from '../../../app.ts';
import type { WebApp } from '../web-app.ts';
import { addAuthorizationEndpoint } from './authorization-endpoint.ts';
import { addMetadataEndpoints } from './metadata-endpoints.ts';
import { addTokenEndpoints } from './token-endpoints.ts';

/** OAuth for apps that only know the server's URL: metadata discovery, user consent, tokens. */
export function addOAuth(server: FastifyInstance, app: App, page: WebApp): void {
  addMetadataEndpoints(server, app);
  addAuthorizationEndpoint(server, app, page);
  addTokenEndpoints(server, app);
}
