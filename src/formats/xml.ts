import { damaged, FormatError } from './format-error.ts';

/**
 * A scanner for XML that was sent by strangers. It knows the five built-in entities and numeric ones; it has no code
 * that could expand a declared entity or fetch anything, and a document type declaration ends the scan.
 */
export interface XmlHandler {
  open?(name: string, attributes: () => Map<string, string>, selfClosing: boolean): void;
  close?(name: string): void;
  text?(text: string): void;
}

const builtIn: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

export function decodeXmlEntities(raw: string): string {
  if (!raw.includes('&')) return raw;
  return raw.replace(/&(#x[0-9a-fA-F]{1,6}|#[0-9]{1,7}|[a-z]{2,4});/g, (whole, name: string) => {
    if (!name.startsWith('#')) return builtIn[name] ?? whole;
    const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  });
}

/** The part of a name after its prefix: `a:t` is `t`. Producers choose prefixes freely. */
export function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}

const attributePattern = /([^\s=/>"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

function parseAttributes(raw: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const match of raw.matchAll(attributePattern)) {
    attributes.set(match[1]!, decodeXmlEntities(match[2] ?? match[3] ?? ''));
  }
  return attributes;
}

export function refuseDoctype(xml: string, where: string): void {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) {
    throw new FormatError('damaged', `${where} declares a document type, which can hide entity attacks and never occurs in a file of this kind. Save the file again in its own program and upload the new copy.`);
  }
}

/** XML parts are UTF-8 or UTF-16; a declaration that names something else is not believed. */
export function xmlText(bytes: Uint8Array, where: string): string {
  const label = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le'
    : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be'
    : bytes[0] === 0x3c && bytes[1] === 0 ? 'utf-16le'
    : bytes[0] === 0 && bytes[1] === 0x3c ? 'utf-16be'
    : 'utf-8';
  const text = new TextDecoder(label).decode(bytes);
  refuseDoctype(text, where);
  return text;
}

export function scanXml(xml: string, where: string, handler: XmlHandler): void {
  refuseDoctype(xml, where);
  let at = 0;
  const end = xml.length;
  while (at < end) {
    const open = xml.indexOf('<', at);
    if (open !== at) {
      const text = xml.slice(at, open === -1 ? end : open);
      handler.text?.(decodeXmlEntities(text));
      if (open === -1) return;
    }
    if (xml.startsWith('<!--', open)) {
      at = after(xml, '-->', open + 4, where);
    } else if (xml.startsWith('<![CDATA[', open)) {
      at = after(xml, ']]>', open + 9, where);
      handler.text?.(xml.slice(open + 9, at - 3));
    } else if (xml.startsWith('<?', open)) {
      at = after(xml, '?>', open + 2, where);
    } else {
      at = scanTag(xml, open, where, handler);
    }
  }
}

function scanTag(xml: string, open: number, where: string, handler: XmlHandler): number {
  let close = open + 1;
  let quote = '';
  for (; close < xml.length; close++) {
    const char = xml[close]!;
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '>') break;
    else if (char === '"' || char === "'") quote = char;
  }
  if (close >= xml.length) throw damaged(`${where} ends inside a tag`);
  if (xml[open + 1] === '/') {
    handler.close?.(xml.slice(open + 2, close).trim());
    return close + 1;
  }
  const selfClosing = xml[close - 1] === '/';
  const inner = xml.slice(open + 1, selfClosing ? close - 1 : close);
  const nameEnd = /[\s/]/.exec(inner)?.index ?? inner.length;
  const name = inner.slice(0, nameEnd);
  if (name === '') throw damaged(`${where} holds a tag without a name`);
  handler.open?.(name, () => parseAttributes(inner.slice(nameEnd)), selfClosing);
  if (selfClosing) handler.close?.(name);
  return close + 1;
}

function after(xml: string, mark: string, from: number, where: string): number {
  const at = xml.indexOf(mark, from);
  if (at === -1) throw damaged(`${where} is cut off`);
  return at + mark.length;
}
