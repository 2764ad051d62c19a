import { damaged } from '../format-error.ts';
import { closeToken, doctypeError, endToken, openToken, textToken, XmlReader } from './xml-reader.ts';
import { StringSource, xmlEncoding } from './xml-source.ts';

export { decodeXmlEntities } from './xml-entities.ts';

/** Callbacks for the elements and texts of an XML document, called in document order. */
export interface XmlHandler {
  /** Called at a start tag. `attributes` may be called only until this callback returns. */
  open?(name: string, attributes: () => Map<string, string>, selfClosing: boolean): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Returns a name without its prefix: `t` for `a:t`. Prefixes are dropped, because each producer chooses its own. */
export function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}

/**
 * Throws if the XML contains a DOCTYPE or ENTITY declaration, even inside a comment. Call it before an external
 * library, which may expand declared entities, parses the XML.
 */
export function rejectDoctype(xml: string, where: string): void {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw doctypeError(where);
}

export function decodeXml(bytes: Uint8Array): string {
  return new TextDecoder(xmlEncoding(bytes)).decode(bytes);
}

export function scanXml(xml: string, where: string, handler: XmlHandler): void {
  const reader = new XmlReader(new StringSource(xml), where);
  const attributes = (): Map<string, string> => reader.attributes();
  // Names of the open elements; a closing tag without an open element is an error in the file.
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
