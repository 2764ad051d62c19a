import type { FastifyInstance } from 'fastify';
import type { App } from '../../../app.ts';
import type { Page } from '../page.ts';
import { addAuthorize } from './authorize.ts';
import { addMetadata } from './metadata.ts';
import { addTokens } from './tokens.ts';

/** How an app that knows an address alone gets access: it finds out where to ask, a person says yes, it gets tokens. */
export function addOAuth(server: FastifyInstance, app: App, page: Page): void {
  addMetadata(server, app);
  addAuthorize(server, app, page);
  addTokens(server, app);
}
