import ipaddr from 'ipaddr.js';
import { decodeEntities } from './entities.ts';

const scheme = /^([a-z][a-z0-9+.-]*):/i;

/** Browsers drop these inside an address, so `java\nscript:` is a script to them. */
function bare(href: string): string {
  // eslint-disable-next-line no-control-regex
  return decodeEntities(href).replace(/[\u0000-\u0020\u007f-\u009f]/g, '');
}

/** The address when following it is harmless: the web, mail, telephone, or a place relative to the note. */
export function safeLink(href: string): string | undefined {
  const address = bare(href);
  if (address === '') return undefined;
  const found = scheme.exec(address)?.[1]?.toLowerCase();
  return found === undefined || ['http', 'https', 'mailto', 'tel'].includes(found) ? address : undefined;
}

/** An address on the web that a list may show a picture from: never a script, inline data or a machine inside the network. */
export function publicImage(href: string): string | undefined {
  const address = bare(href);
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const { hostname } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() === 'unicast' ? address : undefined;
  if (!host.includes('.') || /\.(local|localhost|internal|lan|home|arpa)$/i.test(host)) return undefined;
  return address;
}
