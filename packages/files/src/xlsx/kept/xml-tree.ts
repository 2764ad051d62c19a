import { damaged } from '../../format-error.ts';
import { closeToken, endToken, openToken, textToken, XmlReader } from '../../xml/xml-reader.ts';
import { StringSource } from '../../xml/xml-source.ts';
import { xmlEscape } from '../xml-text.ts';

/** An element with all that is in it, under the names that its file uses. */
export interface XmlElement {
  readonly tag: string;
  readonly attributes: Map<string, string>;
  readonly children: (XmlElement | string)[];
  /** What prefixes stand for in it, by itself and all that is around it in the file. */
  readonly scope: Scope;
}

/** What prefixes stand for; '' is the namespace of names without one. */
export type Scope = ReadonlyMap<string, string>;

const noPrefixes: Scope = new Map();

const maxDepth = 200;
const strictStart = 'http://purl.oclc.org/ooxml/';
/** Files of the strict kind name the same things otherwise; what is written is of the usual kind. */
const usualNames: Readonly<Record<string, string>> = {
  'spreadsheetml/main': 'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  'officeDocument/relationships': 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  'drawingml/main': 'http://schemas.openxmlformats.org/drawingml/2006/main',
  'drawingml/chart': 'http://schemas.openxmlformats.org/drawingml/2006/chart',
  'drawingml/spreadsheetDrawing': 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing',
};

function usualName(uri: string): string {
  return uri.startsWith(strictStart) ? (usualNames[uri.slice(strictStart.length)] ?? uri) : uri;
}

export function localOf(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1);
}

/** The element just opened, without what is in it. */
export function opened(reader: XmlReader, outer: Scope): XmlElement {
  const attributes = reader.attributes();
  return { tag: reader.qualifiedName, attributes, children: [], scope: scopeIn(attributes, outer) };
}

/** The element just opened, up to its end. */
export function capture(reader: XmlReader, outer: Scope): XmlElement {
  const root = opened(reader, outer);
  const open: XmlElement[] = [root];
  while (open.length > 0) {
    const token = reader.next();
    const inside = open.at(-1)!;
    if (token === openToken) {
      if (open.length >= maxDepth) throw damaged(`it nests more than ${maxDepth} elements`);
      const made = opened(reader, inside.scope);
      inside.children.push(made);
      open.push(made);
    } else if (token === textToken) inside.children.push(reader.text);
    else if (token === closeToken) open.pop();
    else if (token === endToken) throw damaged('an element of it is truncated');
  }
  return root;
}

/** A whole part. */
export function parseXml(xml: string, where: string): XmlElement | undefined {
  const reader = new XmlReader(new StringSource(xml), where);
  for (let token = reader.next(); token !== endToken; token = reader.next())
    if (token === openToken) return capture(reader, noPrefixes);
  return undefined;
}

function scopeIn(attributes: ReadonlyMap<string, string>, outer: Scope): Scope {
  let scope: Map<string, string> | undefined;
  for (const [name, value] of attributes)
    if (name === 'xmlns' || name.startsWith('xmlns:'))
      (scope ??= new Map(outer)).set(name === 'xmlns' ? '' : name.slice(6), usualName(value));
  return scope ?? outer;
}

export function* elementsIn(element: XmlElement): Generator<XmlElement> {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    yield child;
    yield* elementsIn(child);
  }
}

export function childrenNamed(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter(
    (child): child is XmlElement => typeof child !== 'string' && localOf(child.tag) === name,
  );
}

export function textOf(element: XmlElement): string {
  return element.children.filter((child) => typeof child === 'string').join('');
}

/** What to write instead, ready for the file; undefined leaves it as it is, null leaves it out. */
export interface Replacing {
  attribute?(element: XmlElement, name: string, value: string): string | null | undefined;
  text?(element: XmlElement): string | undefined;
}

/** Ids by which programs tell revisions apart: they say nothing of the contents. */
const revisionNames = /^http:\/\/schemas\.microsoft\.com\/office\/spreadsheetml\/\d{4}\/revision/;

/** The element as text that stands for itself wherever the names without prefix are `home`. */
export function printXml(element: XmlElement, home: string, replacing: Replacing = {}): string {
  const { scope } = element;
  if (!isNamed(element.tag, scope)) return '';
  const used = new Set<string>();
  const note = (one: XmlElement): void => {
    used.add(prefixOf(one.tag));
    for (const [name, value] of one.attributes) {
      const prefix = prefixOf(name);
      if (prefix !== 'xmlns' && !revisionNames.test(scope.get(prefix) ?? '')) used.add(prefix);
      // These name prefixes in their values.
      if (name === 'Requires' || localOf(name) === 'Ignorable') for (const word of value.split(/\s+/)) used.add(word);
    }
  };
  note(element);
  for (const one of elementsIn(element)) note(one);
  const declared = [...used].map((prefix) => declarationOf(prefix, scope.get(prefix), home));
  return print(element, { home, unprefixed: home, declared: declared.join(''), replacing });
}

export function prefixOf(name: string): string {
  return name.includes(':') ? name.slice(0, name.indexOf(':')) : '';
}

/** Whether the file says what the prefix of a name stands for: a name of which it does not would make no XML. */
function isNamed(name: string, scope: Scope): boolean {
  const prefix = prefixOf(name);
  return prefix === '' || prefix === 'xml' || scope.has(prefix);
}

/** Names of `home` are written without their prefix, so that few need it: it is declared where it is used. */
function declarationOf(prefix: string, uri: string | undefined, home: string): string {
  const isNeeded = prefix !== '' && prefix !== 'xml' && uri !== undefined && uri !== home;
  return isNeeded ? ` xmlns:${prefix}="${xmlEscape(uri)}"` : '';
}

interface Printing {
  readonly home: string;
  /** What names without prefix stand for around the element. */
  readonly unprefixed: string;
  /** Prefixes that it declares. */
  readonly declared: string;
  readonly replacing: Replacing;
}

function print(element: XmlElement, printing: Printing): string {
  const { home, replacing, declared } = printing;
  const { tag, scope } = element;
  const prefix = prefixOf(tag);
  const own = scope.get(prefix) ?? printing.unprefixed;
  const isPlain = own === printing.unprefixed;
  const name = isPlain ? localOf(tag) : tag;
  const unprefixed = prefix === '' ? own : printing.unprefixed;
  // Prefixes of `home` that nothing around declares.
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

/** Prefixes that an element inside gives another meaning. */
function newNames({ scope }: XmlElement, outer: Scope, home: string): string {
  if (scope === outer) return '';
  return [...scope]
    .map(([prefix, uri]) => (outer.get(prefix) === uri ? '' : declarationOf(prefix, uri, home)))
    .join('');
}

function textEscape(text: string): string {
  return text
    .replace(/[\ufffe\uffff]|(?![\t\n\r])\p{Cc}/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}
