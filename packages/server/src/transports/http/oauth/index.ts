import type { FastifyInstance } from 'fastify';
import type { App } from '../../../app.ts';
import type { Page } from '../page.ts';
import { addAuthorize } from './authorize.ts';
import { addMetadata } from './metadata.ts';
import { addTokens } from './tokens.ts';

/** OAuth for apps that only know the server's URL: metadata discovery, user consent, tokens. */
export function addOAuth(server: FastifyInstance, app: App, page: Page): void {
  addMetadata(server, app);
  addAuthorize(server, app, page);
  addTokens(server, app);
}
