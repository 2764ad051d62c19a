import { damaged } from '../../../formats/format-error.ts';
import { closeToken, endToken, openToken, textToken, XmlReader } from '../../../formats/xml-reader.ts';
import { StringSource } from '../../../formats/xml-source.ts';
import { xmlEscape } from '../xml-text.ts';

/** An element with all that is in it, under the names that its file uses. */
export interface XmlElement {
  readonly tag: string;
  readonly attributes: Map<string, string>;
  readonly children: (XmlElement | string)[];
}

/** What prefixes stand for; '' is the namespace of names without one. */
export type Scope = ReadonlyMap<string, string>;

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

/** The element just opened, up to its end. */
export function capture(reader: XmlReader): XmlElement {
  const root: XmlElement = { tag: reader.qualifiedName, attributes: reader.attributes(), children: [] };
  const open: XmlElement[] = [root];
  while (open.length > 0) {
    const token = reader.next();
    const inside = open.at(-1)!;
    if (token === openToken) {
      if (open.length >= maxDepth) throw damaged(`it nests more than ${maxDepth} elements`);
      const made: XmlElement = { tag: reader.qualifiedName, attributes: reader.attributes(), children: [] };
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
    if (token === openToken) return capture(reader);
  return undefined;
}

export function scopeOf(element: XmlElement, outer?: Scope): Map<string, string> {
  const scope = new Map(outer);
  for (const [name, value] of element.attributes) {
    if (name === 'xmlns') scope.set('', usualName(value));
    else if (name.startsWith('xmlns:')) scope.set(name.slice(6), usualName(value));
  }
  return scope;
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
  attribute?(element: XmlElement, name: string, value: string, scope: Scope): string | null | undefined;
  text?(element: XmlElement): string | undefined;
}

/** Ids by which programs tell revisions apart: they say nothing of the contents. */
const revisionNames = /^http:\/\/schemas\.microsoft\.com\/office\/spreadsheetml\/\d{4}\/revision/;

/** The element as text that stands for itself wherever the names without prefix are `home`. */
export function printXml(element: XmlElement, scope: Scope, home: string, replacing: Replacing = {}): string {
  const used = new Set<string>();
  const own = scopeOf(element, scope);
  const prefixOf = (name: string): string => (name.includes(':') ? name.slice(0, name.indexOf(':')) : '');
  const note = (one: XmlElement): void => {
    used.add(prefixOf(one.tag));
    for (const [name, value] of one.attributes) {
      const prefix = prefixOf(name);
      if (prefix !== '' && prefix !== 'xmlns' && !revisionNames.test(own.get(prefix) ?? '')) used.add(prefix);
      // These name prefixes in their values.
      if (name === 'Requires' || localOf(name) === 'Ignorable') for (const word of value.split(/\s+/)) used.add(word);
    }
  };
  note(element);
  for (const one of elementsIn(element)) note(one);
  const declared = [...used].flatMap((prefix) => {
    const uri = own.get(prefix);
    if (uri === undefined || prefix === 'xml' || (prefix === '' && uri === home)) return [];
    return [prefix === '' ? ` xmlns="${xmlEscape(uri)}"` : ` xmlns:${prefix}="${xmlEscape(uri)}"`];
  });
  return print(element, own, declared.join(''), replacing);
}

function print(element: XmlElement, scope: Scope, declared: string, replacing: Replacing): string {
  let out = `<${element.tag}${declared}`;
  for (const [name, value] of element.attributes) {
    if (name === 'xmlns' || name.startsWith('xmlns:')) continue;
    const colon = name.indexOf(':');
    if (colon > 0 && revisionNames.test(scope.get(name.slice(0, colon)) ?? '')) continue;
    const replaced = replacing.attribute?.(element, name, value, scope);
    if (replaced !== null) out += ` ${name}="${replaced ?? xmlEscape(value)}"`;
  }
  const replaced = replacing.text?.(element);
  if (replaced === undefined && element.children.length === 0) return `${out}/>`;
  out += '>';
  if (replaced !== undefined) out += replaced;
  else
    for (const child of element.children)
      out +=
        typeof child === 'string'
          ? textEscape(child)
          : print(child, scopeOf(child, scope), newNames(child, scope), replacing);
  return `${out}</${element.tag}>`;
}

/** Prefixes that an element inside gives another meaning. */
function newNames(element: XmlElement, scope: Scope): string {
  let out = '';
  for (const [name, value] of element.attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
    const prefix = name === 'xmlns' ? '' : name.slice(6);
    const uri = usualName(value);
    if (scope.get(prefix) !== uri)
      out += prefix === '' ? ` xmlns="${xmlEscape(uri)}"` : ` xmlns:${prefix}="${xmlEscape(uri)}"`;
  }
  return out;
}

function textEscape(text: string): string {
  return text
    .replace(/[\ufffe\uffff]|(?![\t\n\r])\p{Cc}/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}
