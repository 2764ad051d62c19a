import { damaged } from '../format-error.ts';
import { closeToken, documentType, endToken, openToken, textToken, XmlReader } from './xml-reader.ts';
import { StringSource, xmlEncoding } from './xml-source.ts';

export { decodeXmlEntities } from './xml-entities.ts';

/** Hears of the elements and texts of a part in turn. */
export interface XmlHandler {
  /** The attributes are to be asked for at once or never. */
  open?(name: string, attributes: () => Map<string, string>, selfClosing: boolean): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** The part of a name after its prefix: `a:t` is `t`. Producers choose prefixes freely. */
export function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}

/** For what is handed to a library: there a declaration inside a comment is not worth the risk either. */
export function refuseDoctype(xml: string, where: string): void {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw documentType(where);
}

export function xmlText(bytes: Uint8Array): string {
  return new TextDecoder(xmlEncoding(bytes)).decode(bytes);
}

export function scanXml(xml: string, where: string, handler: XmlHandler): void {
  const reader = new XmlReader(new StringSource(xml), where);
  const attributes = (): Map<string, string> => reader.attributes();
  // A closing tag is told by the name its element was opened with; one that closes nothing is a fault of the file.
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
