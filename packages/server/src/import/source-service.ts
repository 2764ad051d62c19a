import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { GuardedWebFetcher } from '../adapters/web/guarded-fetcher.ts';
import { FetchRefused } from '../ports/web-fetcher.ts';
import { version } from '../version.ts';
import { ImportError } from './import-error.ts';
import { RemoteError, RetryingClient } from './retrying-client.ts';

const maxBytes = 200 * 2 ** 20;
const downloadMs = 10 * 60_000;

/**
 * Opens the service to import from. Keys come only from the environment, because command line arguments are visible in
 * process lists and shell histories.
 */
export function openSourceService(env: NodeJS.ProcessEnv): { source: SourceService; name: string } {
  const wanted = ['SHEAF_IMPORT_URL', 'SHEAF_IMPORT_CLIENT_ID', 'SHEAF_IMPORT_API_KEY'] as const;
  const missing = wanted.filter((name) => !env[name]);
  if (missing.length > 0)
    throw new ImportError(`${missing.join(', ')}: set in the environment where and with which key to read from`);
  const url = env['SHEAF_IMPORT_URL']!;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new ImportError(`SHEAF_IMPORT_URL: must be an http or https address (got ${JSON.stringify(url)})`);
  const clientId = env['SHEAF_IMPORT_CLIENT_ID']!;
  const options = {
    url,
    clientId,
    apiKey: env['SHEAF_IMPORT_API_KEY']!,
    headerPrefix: env['SHEAF_IMPORT_HEADER_PREFIX'] || 'ima-openapi',
  };
  const allow = [new URL(url).hostname, ...(env['SHEAF_FETCH_ALLOW'] ?? '').split(',').filter((one) => one !== '')];
  return { source: new SourceService(new RetryingClient(options), allow), name: `ima ${url} ${clientId}` };
}

export class SourceService {
  readonly server: RetryingClient;
  readonly #web: GuardedWebFetcher;

  constructor(server: RetryingClient, allow: readonly string[]) {
    this.server = server;
    // Guard the downloads, because the service supplies their URLs, which must not reach addresses in our own network.
    this.#web = new GuardedWebFetcher({ allow, userAgent: `sheaf/${version}`, folder: join(tmpdir(), 'sheaf-import') });
  }

  async download(url: string, headers: Record<string, string>): Promise<Uint8Array> {
    try {
      const { status, body } = await this.#web.exchange(url, {
        maxBytes,
        timeoutMs: downloadMs,
        headers: { accept: '*/*', ...headers },
      });
      if (status !== 200) throw new RemoteError(status, `its original is not accessible (status ${status})`);
      return body;
    } catch (error) {
      if (error instanceof FetchRefused)
        throw new RemoteError(0, `its original could not be fetched (${error.why.reason.replaceAll('_', ' ')})`);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#web.close();
  }
}
