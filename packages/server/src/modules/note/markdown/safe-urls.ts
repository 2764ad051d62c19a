import ipaddr from 'ipaddr.js';
import { decodeEntities } from './entities.ts';

const scheme = /^([a-z][a-z0-9+.-]*):/i;

/**
 * Decodes HTML entities and removes characters that browsers ignore in URLs, so that checks see a URL as browsers do.
 * For example, browsers run `java\nscript:` as a script URL.
 */
function stripIgnoredCharacters(href: string): string {
  // eslint-disable-next-line no-control-regex
  return decodeEntities(href).replace(/[\u0000-\u0020\u007f-\u009f]/g, '');
}

/** Returns the URL if it is safe to follow (web, mail, telephone or relative); undefined otherwise. */
export function safeLinkUrl(href: string): string | undefined {
  const address = stripIgnoredCharacters(href);
  if (address === '') return undefined;
  const found = scheme.exec(address)?.[1]?.toLowerCase();
  return found === undefined || ['http', 'https', 'mailto', 'tel'].includes(found) ? address : undefined;
}

/**
 * Returns an image URL if it is on the public web; undefined otherwise. Scripts, inline data, and addresses and host
 * names of private networks are refused.
 */
export function publicImageUrl(href: string): string | undefined {
  const address = stripIgnoredCharacters(href);
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const { hostname } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() === 'unicast' ? address : undefined;
  if (!host.includes('.') || /\.(local|localhost|internal|lan|home|arpa)$/i.test(host)) return undefined;
  return address;
}
