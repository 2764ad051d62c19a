import { damaged } from '../format-error.ts';
import { closeToken, doctypeError, endToken, openToken, textToken, XmlReader } from './xml-reader.ts';
import { StringSource, xmlEncoding } from './xml-source.ts';

export { decodeXmlEntities } from './xml-entities.ts';

/** Receives the elements and texts of a part in order. */
export interface XmlHandler {
  /** Call `attributes` during this callback only. */
  open?(name: string, attributes: () => Map<string, string>, selfClosing: boolean): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Returns the name without its prefix: `t` for `a:t`. Producers choose prefixes freely. */
export function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}

/** Rejects XML that is passed to a library if it contains a declaration anywhere, even in a comment. */
export function rejectDoctype(xml: string, where: string): void {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw doctypeError(where);
}

export function decodeXml(bytes: Uint8Array): string {
  return new TextDecoder(xmlEncoding(bytes)).decode(bytes);
}

export function scanXml(xml: string, where: string, handler: XmlHandler): void {
  const reader = new XmlReader(new StringSource(xml), where);
  const attributes = (): Map<string, string> => reader.attributes();
  // Stack of open element names; a closing tag without an open element is an error in the file.
  const open: string[] = [];
  for (;;) {
    switch (reader.next()) {
      case endToken:
        return;
      case openToken:
        open.push(reader.qualifiedName);
        handler.open?.(open.at(-1)!, attributes, reader.isEmpty);
        break;
      case closeToken: {
        const name = open.pop();
        if (name === undefined) throw damaged(`${where} closes an element that was never opened`);
        handler.close?.(name);
        break;
      }
      case textToken:
        handler.text?.(reader.text);
        break;
      default:
    }
  }
}
