import { isLoopbackHost } from '../../../lib/redirect-uris.ts';
import { OAuthFailure } from '../../../kernel/oauth.ts';
import type { RateLimit } from '../../../kernel/rate-limit.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { AppClient, OAuthStore } from '../../../ports/oauth-store.ts';
import { FetchRefused, type BufferedResponse, type WebFetcher } from '../../../ports/web-fetcher.ts';
import { readClientMetadata } from './client-metadata.ts';

/**
 * Time in milliseconds for which the metadata document of an OAuth client is cached. The cache is in the database and
 * shared by all nodes.
 */
const freshMs = 15 * 60_000;
const maxBytes = 16 * 1024;
const timeoutMs = 5000;
const maxLength = 500;

interface DocumentDependencies {
  apps: OAuthStore;
  web: Pick<WebFetcher, 'exchange'>;
  clock: Clock;
  /** Limits the rate of document fetches per user. */
  fetchLimit: RateLimit;
}

/** Looks up OAuth clients whose client id is the URL of a JSON document with the client's name and redirect URIs. */
export class ClientMetadataDocuments {
  readonly #parts: DocumentDependencies;

  constructor(parts: DocumentDependencies) {
    this.#parts = parts;
  }

  async client(id: string, userId: string): Promise<AppClient> {
    const { apps, clock } = this.#parts;
    const fault = urlFault(id);
    if (fault !== undefined) throw invalidClient(`${fault} (got ${JSON.stringify(id.slice(0, maxLength))})`);
    const known = await apps.client(id);
    if (known && known.checkedAt > clock.now() - freshMs) return known;
    const { name, redirectUris } = readClientMetadata(await this.#read(id, userId));
    const client: AppClient = {
      id,
      kind: 'document',
      name: name === '' ? new URL(id).host : name,
      redirectUris,
      checkedAt: clock.now(),
    };
    await apps.putClientMetadata(client);
    return client;
  }

  async #read(id: string, userId: string): Promise<unknown> {
    const wait = this.#parts.fetchLimit.take(userId);
    if (wait > 0)
      throw new OAuthFailure('temporarily_unavailable', `too many apps were looked up; try again in ${wait} s`, wait);
    const { status, contentType, body } = await this.#exchange(id);
    if (status !== 200) throw invalidClient(`its document must be there: the server answered with status ${status}`);
    if (!/^application\/([\w.-]+\+)?json\s*(;|$)/.test(contentType))
      throw invalidClient(`its document must be JSON (got the type ${JSON.stringify(contentType.slice(0, 100))})`);
    let document: unknown;
    try {
      document = JSON.parse(Buffer.from(body).toString('utf8'));
    } catch (error) {
      throw invalidClient(`its document must be JSON (${(error as Error).message.slice(0, 100)})`);
    }
    const said = (document as Record<string, unknown> | null)?.['client_id'];
    if (said !== id)
      throw invalidClient(
        `its document must have its own address as client_id (got ${JSON.stringify(said)?.slice(0, 200)})`,
      );
    const method = (document as Record<string, unknown>)['token_endpoint_auth_method'];
    if (method !== undefined && method !== 'none')
      throw invalidClient(
        `token_endpoint_auth_method: must be "none" in its document (got ${JSON.stringify(method).slice(0, 100)})`,
      );
    return document;
  }

  async #exchange(id: string): Promise<BufferedResponse> {
    try {
      return await this.#parts.web.exchange(id, { maxBytes, timeoutMs });
    } catch (error) {
      if (!(error instanceof FetchRefused)) throw error;
      throw invalidClient(`its document could not be read: ${error.reason.replaceAll('_', ' ')}`);
    }
  }
}

/**
 * Returns the reason why a client id is not a valid URL of a client metadata document; undefined if it is valid. The URL
 * must have a path, because a bare host would identify every app on that host.
 */
function urlFault(id: string): string | undefined {
  if (id.length > maxLength) return `must have at most ${maxLength} characters`;
  if (!URL.canParse(id)) return 'must be an id that was registered here, or the address of a document';
  const url = new URL(id);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(url.hostname)))
    return 'must be an address that starts with https://';
  if (url.pathname === '/' || url.href !== id) return 'must be an address in its plain form, with a path';
  if (url.hash !== '' || url.username !== '' || url.password !== '')
    return 'must have no fragment, user name or password';
  return undefined;
}

function invalidClient(description: string): OAuthFailure {
  return new OAuthFailure('invalid_client', `client_id: ${description}`);
}
