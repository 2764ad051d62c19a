import { damaged } from '../format-error.ts';
import { closeToken, endToken, openToken, textToken, XmlReader } from '../xml/xml-reader.ts';
import { StringSource } from '../xml/xml-source.ts';
import { xmlEscape } from './xml-escape.ts';

/** An XML element with its content. Names keep the prefixes used in the file. */
export interface XmlElement {
  readonly tag: string;
  readonly attributes: Map<string, string>;
  readonly children: (XmlElement | string)[];
  /** Namespaces in effect at the element, declared on it or on an element around it. */
  readonly scope: NamespaceScope;
}

/** Namespace URI by prefix; the key '' is the default namespace. */
export type NamespaceScope = ReadonlyMap<string, string>;

const noPrefixes: NamespaceScope = new Map();

const maxDepth = 200;
const strictStart = 'http://purl.oclc.org/ooxml/';
/**
 * Transitional OOXML namespaces, which the export writes in place of strict ones. Each key is the end of the strict
 * namespace.
 */
const transitionalNames: Readonly<Record<string, string>> = {
  'spreadsheetml/main': 'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  'officeDocument/relationships': 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  'drawingml/main': 'http://schemas.openxmlformats.org/drawingml/2006/main',
  'drawingml/chart': 'http://schemas.openxmlformats.org/drawingml/2006/chart',
  'drawingml/spreadsheetDrawing': 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing',
};

function transitionalName(uri: string): string {
  return uri.startsWith(strictStart) ? (transitionalNames[uri.slice(strictStart.length)] ?? uri) : uri;
}

export function localNameOf(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1);
}

/** Returns the element whose start tag the reader has just read, with its attributes but without its content. */
export function readStartTag(reader: XmlReader, outer: NamespaceScope): XmlElement {
  const attributes = reader.attributes();
  return { tag: reader.qualifiedName, attributes, children: [], scope: scopeIn(attributes, outer) };
}

/** Reads the rest of the element whose start tag the reader has just read, up to and including its closing tag. */
export function readElementContent(reader: XmlReader, outer: NamespaceScope): XmlElement {
  const root = readStartTag(reader, outer);
  const open: XmlElement[] = [root];
  while (open.length > 0) {
    const token = reader.next();
    const inside = open.at(-1)!;
    if (token === openToken) {
      if (open.length >= maxDepth) throw damaged(`it nests more than ${maxDepth} elements`);
      const made = readStartTag(reader, inside.scope);
      inside.children.push(made);
      open.push(made);
    } else if (token === textToken) inside.children.push(reader.text);
    else if (token === closeToken) open.pop();
    else if (token === endToken) throw damaged('an element of it is truncated');
  }
  return root;
}

export function parseXml(xml: string, where: string): XmlElement | undefined {
  const reader = new XmlReader(new StringSource(xml), where);
  for (let token = reader.next(); token !== endToken; token = reader.next())
    if (token === openToken) return readElementContent(reader, noPrefixes);
  return undefined;
}

function scopeIn(attributes: ReadonlyMap<string, string>, outer: NamespaceScope): NamespaceScope {
  let scope: Map<string, string> | undefined;
  for (const [name, value] of attributes)
    if (name === 'xmlns' || name.startsWith('xmlns:'))
      (scope ??= new Map(outer)).set(name === 'xmlns' ? '' : name.slice(6), transitionalName(value));
  return scope ?? outer;
}

export function* descendantsOf(element: XmlElement): Generator<XmlElement> {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    yield child;
    yield* descendantsOf(child);
  }
}

export function childrenNamed(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter(
    (child): child is XmlElement => typeof child !== 'string' && localNameOf(child.tag) === name,
  );
}

export function textOf(element: XmlElement): string {
  return element.children.filter((child) => typeof child === 'string').join('');
}

/**
 * Callbacks that replace attribute values and texts in the output of `printXml`. A returned string must already be
 * escaped, undefined keeps the original, and null removes the attribute.
 */
export interface PrintReplacements {
  attribute?(element: XmlElement, name: string, value: string): string | null | undefined;
  text?(element: XmlElement): string | undefined;
}

/** Matches the namespaces of Excel's revision ids. Attributes in them are not written, because they are not content. */
const revisionNames = /^http:\/\/schemas\.microsoft\.com\/office\/spreadsheetml\/\d{4}\/revision/;

/**
 * Returns the XML of an element for insertion where `home` is the default namespace. The XML itself declares all other
 * namespaces that it uses. Returns an empty string if the prefix of the element is not declared.
 */
export function printXml(element: XmlElement, home: string, replacing: PrintReplacements = {}): string {
  const { scope } = element;
  if (!isNamed(element.tag, scope)) return '';
  const used = new Set<string>();
  const note = (one: XmlElement): void => {
    used.add(prefixOf(one.tag));
    for (const [name, value] of one.attributes) {
      const prefix = prefixOf(name);
      if (prefix !== 'xmlns' && !revisionNames.test(scope.get(prefix) ?? '')) used.add(prefix);
      // The values of these attributes are lists of prefixes, which must be declared as well.
      if (name === 'Requires' || localNameOf(name) === 'Ignorable')
        for (const word of value.split(/\s+/)) used.add(word);
    }
  };
  note(element);
  for (const one of descendantsOf(element)) note(one);
  const declared = [...used].map((prefix) => declarationOf(prefix, scope.get(prefix), home));
  return print(element, { home, unprefixed: home, declared: declared.join(''), replacing });
}

export function prefixOf(name: string): string {
  return name.includes(':') ? name.slice(0, name.indexOf(':')) : '';
}

/** Returns whether the prefix of a name is declared. A name with an undeclared prefix would be invalid XML. */
function isNamed(name: string, scope: NamespaceScope): boolean {
  const prefix = prefixOf(name);
  return prefix === '' || prefix === 'xml' || scope.has(prefix);
}

/**
 * Returns the declaration of a prefix. Returns an empty string if none is needed, for example because `uri` is `home`,
 * the default namespace where the XML is inserted.
 */
function declarationOf(prefix: string, uri: string | undefined, home: string): string {
  const isNeeded = prefix !== '' && prefix !== 'xml' && uri !== undefined && uri !== home;
  return isNeeded ? ` xmlns:${prefix}="${xmlEscape(uri)}"` : '';
}

interface PrintState {
  readonly home: string;
  /** Default namespace in effect where the element is written. */
  readonly unprefixed: string;
  /** Namespace declarations to write on the element. */
  readonly declared: string;
  readonly replacing: PrintReplacements;
}

function print(element: XmlElement, printing: PrintState): string {
  const { home, replacing, declared } = printing;
  const { tag, scope } = element;
  const prefix = prefixOf(tag);
  const own = scope.get(prefix) ?? printing.unprefixed;
  const isPlain = own === printing.unprefixed;
  const name = isPlain ? localNameOf(tag) : tag;
  const unprefixed = prefix === '' ? own : printing.unprefixed;
  // Prefixes of the namespace `home` that the element or its attributes use. The element must declare them, because the
  // place where the XML is inserted declares this namespace only as the default, without a prefix.
  const needed = new Set(!isPlain && prefix !== '' && own === home ? [prefix] : []);
  let attributes = '';
  for (const [key, value] of element.attributes) {
    if (key === 'xmlns' || key.startsWith('xmlns:') || !isNamed(key, scope)) continue;
    const uri = scope.get(prefixOf(key));
    if (key.includes(':') && uri !== undefined) {
      if (revisionNames.test(uri)) continue;
      if (uri === home) needed.add(prefixOf(key));
    }
    const replaced = replacing.attribute?.(element, key, value);
    if (replaced !== null) attributes += ` ${key}="${replaced ?? xmlEscape(value)}"`;
  }
  const first = isPlain || prefix !== '' ? '' : ` xmlns="${xmlEscape(own)}"`;
  const declaredHere = [...needed].map((one) => ` xmlns:${one}="${xmlEscape(home)}"`).join('');
  const out = `<${name}${first}${declared}${declaredHere}${attributes}`;
  const replaced = replacing.text?.(element);
  if (replaced === undefined && element.children.length === 0) return `${out}/>`;
  const inside =
    replaced ??
    element.children
      .map((child) => {
        if (typeof child === 'string') return textEscape(child);
        if (!isNamed(child.tag, child.scope)) return '';
        return print(child, { ...printing, unprefixed, declared: newNames(child, scope, home) });
      })
      .join('');
  return `${out}>${inside}</${name}>`;
}

/** Returns the XML namespace declarations for the prefixes that this element declares differently than its parent. */
function newNames({ scope }: XmlElement, outer: NamespaceScope, home: string): string {
  if (scope === outer) return '';
  return [...scope]
    .map(([prefix, uri]) => (outer.get(prefix) === uri ? '' : declarationOf(prefix, uri, home)))
    .join('');
}

function textEscape(text: string): string {
  return text
    .replace(/[\ufffe\uffff]|(?![\t\n\r\u007f-\u009f])\p{Cc}/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}
