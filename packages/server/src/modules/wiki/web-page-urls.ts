import type { Config } from '../../config.ts';
import { fail } from '../../kernel/errors.ts';
import { formatValue } from '../../kernel/parse-input.ts';
import { mediaNumber } from '@sheaf/client/media-types';

type Hosts = Pick<Config, 'SHEAF_ARTICLE_HOSTS' | 'SHEAF_VIDEO_HOSTS'>;

/** Returns the reason why a URL cannot be imported, based on the URL alone; undefined if it can be imported. */
export function unimportableReason(config: Hosts, url: string): string | undefined {
  if (!URL.canParse(url)) return 'is not a URL';
  const { protocol, hostname, username, password } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:')
    return `only http and https pages can be imported, not ${protocol}`;
  if (username !== '' || password !== '') return 'must not contain a user name or password';
  if (hostname === '') return 'has no host';
  if (isListedHost(config.SHEAF_VIDEO_HOSTS, hostname)) return 'video pages cannot be imported';
  return undefined;
}

export function refuseUnimportable(config: Hosts, url: string): void {
  const reason = unimportableReason(config, url);
  if (reason !== undefined) throw fail('invalid_parameter', `web_info.content_id: ${formatValue(url)}: ${reason}`);
}

/** Returns the media type of a web page: an article of a WeChat official account, or any other page. */
export function pageType(config: Hosts, url: string): number {
  const { hostname, pathname } = new URL(url);
  return isListedHost(config.SHEAF_ARTICLE_HOSTS, hostname) && /^\/s(\/|$)/.test(pathname)
    ? mediaNumber.article
    : mediaNumber.webPage;
}

/** Returns the title that an imported web page has until it has been parsed. */
export function provisionalTitle(url: string): string {
  const { hostname, pathname } = new URL(url);
  return pathname === '/' ? hostname : `${hostname}${pathname}`.slice(0, 256);
}

function isListedHost(hosts: readonly string[], hostname: string): boolean {
  return hosts.some((host) => host.toLowerCase() === hostname.toLowerCase());
}
