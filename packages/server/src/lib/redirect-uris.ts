/**
 * URI schemes that known MCP clients use for OAuth redirects. They are accepted although they are not reverse domain
 * names.
 */
const clientSchemes: ReadonlySet<string> = new Set([
  'cherrystudio',
  'claude',
  'cursor',
  'goose',
  'kiro',
  'lmstudio',
  'raycast',
  'trae',
  'vscode',
  'vscode-insiders',
  'vscodium',
  'warp',
  'windsurf',
  'zed',
]);
/** Matches a URI scheme that is a reverse domain name, reserved for the domain's owner (RFC 8252, 7.1). */
const reverseDomain = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+$/;
const maxLength = 2000;

export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Returns why a redirect URI is not allowed for an OAuth client, or undefined if it is allowed. */
export function redirectUriError(text: string): string | undefined {
  if (text.length > maxLength) return `must have at most ${maxLength} characters`;
  if (/[\p{Cc}\s\\]/u.test(text) || !URL.canParse(text)) return 'must be an absolute address';
  const url = new URL(text);
  if (text.includes('#')) return 'must have no fragment';
  if (url.username !== '' || url.password !== '') return 'must have no user name or password';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:')
    return isLoopbackHost(url.hostname) ? undefined : 'must start with https:// unless it is on this computer';
  const scheme = url.protocol.slice(0, -1);
  return clientSchemes.has(scheme) || reverseDomain.test(scheme)
    ? undefined
    : `must start with https://, with http:// on this computer, or with a scheme in reverse-domain form such as com.example.app: (got ${url.protocol})`;
}

/**
 * Returns whether the redirect URI of a request is one of those that the OAuth client registered. The text must be
 * identical, except that loopback URIs may use any port (RFC 8252, 7.3).
 */
export function isRegisteredRedirect(asked: string, registered: readonly string[]): boolean {
  if (redirectUriError(asked) !== undefined) return false;
  return registered.some((one) => one === asked || (isLoopback(one) && withoutPort(one) === withoutPort(asked)));
}

/**
 * Returns the part of a redirect URI that identifies its recipient, for display on the consent page: the host, preceded
 * by the scheme unless it is http or https. Without a host, only the scheme.
 */
export function redirectHost(text: string): string {
  const url = new URL(text);
  return url.host === ''
    ? url.protocol
    : url.protocol === 'https:' || url.protocol === 'http:'
      ? url.host
      : `${url.protocol}//${url.host}`;
}

function isLoopback(text: string): boolean {
  const url = new URL(text);
  return url.protocol === 'http:' && isLoopbackHost(url.hostname);
}

function withoutPort(text: string): string {
  return text.replace(/^(http:\/\/(?:\[[^\]]*\]|[^:/?#]*))(?::\d+)?/i, '$1');
}
