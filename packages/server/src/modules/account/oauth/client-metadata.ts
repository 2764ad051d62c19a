import { redirectUriError } from '../../../lib/redirect-uris.ts';
import { OAuthFailure } from '../../../kernel/oauth.ts';

const maxRedirects = 10;
const maxNameLength = 100;

export interface ClientMetadata {
  name: string;
  redirectUris: string[];
}

/**
 * Parses the client metadata fields (RFC 7591) that this server uses. All other fields are ignored, as the standard
 * requires.
 */
export function readClientMetadata(found: unknown): ClientMetadata {
  if (typeof found !== 'object' || found === null || Array.isArray(found)) throw invalid('must be a JSON object');
  const metadata = found as Record<string, unknown>;
  const uris = metadata['redirect_uris'];
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > maxRedirects)
    throw redirect(`redirect_uris: must be a list of 1 to ${maxRedirects} addresses`);
  for (const [index, uri] of uris.entries()) {
    const fault = typeof uri === 'string' ? redirectUriError(uri) : 'must be text';
    if (fault !== undefined)
      throw redirect(`redirect_uris[${index}]: ${fault} (got ${JSON.stringify(uri)?.slice(0, 200)})`);
  }
  refuseUnless(metadata, 'grant_types', 'authorization_code');
  refuseUnless(metadata, 'response_types', 'code');
  return { name: nameOf(metadata['client_name']), redirectUris: uris as string[] };
}

/** Throws if the field is present but does not list `value`, which is the only value that this server supports. */
function refuseUnless(metadata: Record<string, unknown>, field: string, value: string): void {
  const listed = metadata[field];
  if (listed !== undefined && !(Array.isArray(listed) && listed.includes(value)))
    throw invalid(`${field}: must be a list that contains "${value}" (got ${JSON.stringify(listed).slice(0, 200)})`);
}

/**
 * Returns the client's name for the consent page, without invisible and bidirectional control characters, because users
 * decide by this name whether to trust an app.
 */
function nameOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string')
    throw invalid(`client_name: must be text (got ${JSON.stringify(value).slice(0, 200)})`);
  return value
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxNameLength);
}

function invalid(description: string): OAuthFailure {
  return new OAuthFailure('invalid_client_metadata', description);
}

function redirect(description: string): OAuthFailure {
  return new OAuthFailure('invalid_redirect_uri', description);
}
