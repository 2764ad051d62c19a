import { damaged, FormatError } from '../format-error.ts';
import { decodeXmlEntities } from './xml-entities.ts';

/** What `next` met. */
export const endToken = 0;
export const openToken = 1;
export const closeToken = 2;
export const textToken = 3;

const passedOver = 4;
const incomplete = 5;

/** Text in pieces; how many are joined to one grows when a single token is longer than a piece. */
export interface XmlSource {
  next(pieces: number): string | undefined;
}

/** Names and values of a tag's attributes as places in the text: name from, name to, value from, value to. */
const spansEach = 4;

/**
 * A pull reader for XML that was sent by strangers, over text that arrives in pieces: of a large part only what is being read
 * is in memory. It knows the five built-in entities and numeric ones; it has no code that could expand a declared entity or
 * fetch anything, and a document type declaration ends the reading. Tags are cut at their own end only: quotes of either
 * kind, `>` in values, white space anywhere it is allowed, comments, CDATA and prefixes are all plain XML here.
 *
 * What a token says (name, attributes, text) holds until the next one is asked for. An element that closes itself is opened
 * and closed like any other.
 */
export class XmlReader {
  readonly #source: XmlSource;
  readonly #where: string;
  #xml = '';
  #at = 0;
  #pieces = 1;
  #isDone = false;
  #closesNext = false;
  #from = 0;
  #to = 0;
  #isLiteral = false;
  #spans: number[] = [];
  #attributes = 0;
  /** Elements around the present place; an element counts from its opening to its closing. */
  depth = 0;

  constructor(source: XmlSource, where: string) {
    this.#source = source;
    this.#where = where;
  }

  next(): number {
    if (this.#closesNext) {
      this.#closesNext = false;
      this.depth--;
      return closeToken;
    }
    for (;;) {
      const xml = this.#xml;
      const at = this.#at;
      if (xml.charCodeAt(at) === 60) {
        const token = this.#markup(at);
        if (token < passedOver) return token;
        if (token === incomplete && !this.#more()) throw damaged(`${this.#where} is truncated`);
        continue;
      }
      const open = xml.indexOf('<', at);
      if (open < 0 && this.#more()) continue;
      if (open < 0 && at >= xml.length) return endToken;
      this.#from = at;
      this.#to = open < 0 ? xml.length : open;
      this.#at = this.#to;
      this.#isLiteral = false;
      return textToken;
    }
  }

  /** Of the tag just met, without its prefix: producers choose prefixes freely. */
  get name(): string {
    const xml = this.#xml;
    for (let i = this.#from; i < this.#to; i++) if (xml.charCodeAt(i) === 58) return xml.slice(i + 1, this.#to);
    return xml.slice(this.#from, this.#to);
  }

  get qualifiedName(): string {
    return this.#xml.slice(this.#from, this.#to);
  }

  /** Whether the element just opened has nothing in it. */
  get isEmpty(): boolean {
    return this.#closesNext;
  }

  /** Of the text just met. */
  get text(): string {
    const raw = this.#xml.slice(this.#from, this.#to);
    return this.#isLiteral ? withLineEnds(raw) : decoded(raw);
  }

  /** The value of an attribute by its whole name; of those that are left out, undefined. */
  attribute(name: string): string | undefined {
    const xml = this.#xml;
    const spans = this.#spans;
    for (let i = 0; i < this.#attributes * spansEach; i += spansEach) {
      const from = spans[i]!;
      if (spans[i + 1]! - from === name.length && xml.startsWith(name, from)) return this.#value(i);
    }
    return undefined;
  }

  /** All attributes by their whole names, or by those without prefixes. */
  attributes(local = false): Map<string, string> {
    const found = new Map<string, string>();
    for (let i = 0; i < this.#attributes * spansEach; i += spansEach) {
      const name = this.#xml.slice(this.#spans[i]!, this.#spans[i + 1]!);
      if (local && name.startsWith('xmlns')) continue;
      found.set(local ? name.slice(name.indexOf(':') + 1) : name, this.#value(i));
    }
    return found;
  }

  /** The text directly inside the element just opened; the reading goes on behind its end. */
  content(): string {
    if (this.#closesNext) {
      this.next();
      return '';
    }
    const xml = this.#xml;
    const open = xml.indexOf('<', this.#at);
    if (open >= 0 && xml.charCodeAt(open + 1) === 47) {
      // Nothing but text, as nearly always.
      const end = xml.indexOf('>', open);
      if (end >= 0) {
        const raw = xml.slice(this.#at, open);
        this.#at = end + 1;
        this.depth--;
        return decoded(raw);
      }
    }
    const inside = this.depth;
    let text = '';
    for (;;) {
      const token = this.next();
      if (token === textToken && this.depth === inside) text += this.text;
      else if (token === closeToken && this.depth < inside) return text;
      else if (token === endToken) throw damaged(`${this.#where} is truncated`);
    }
  }

  /** Passes over the element just opened with all that is in it. */
  skip(): void {
    const outside = this.depth - 1;
    while (this.depth > outside) if (this.next() === endToken) throw damaged(`${this.#where} is truncated`);
  }

  #value(span: number): string {
    const raw = this.#xml.slice(this.#spans[span + 2]!, this.#spans[span + 3]!);
    const plain = /[\t\r\n]/.test(raw) ? raw.replaceAll('\r\n', ' ').replace(/[\t\r\n]/g, ' ') : raw;
    return decodeXmlEntities(plain);
  }

  /** Takes more text behind what is not read yet; false when there is none. */
  #more(): boolean {
    if (this.#isDone) return false;
    // What was joined in vain is not joined again and again.
    this.#pieces = this.#at === 0 && this.#xml !== '' ? this.#pieces * 2 : 1;
    const more = this.#source.next(this.#pieces);
    if (more === undefined) {
      this.#isDone = true;
      // What looked incomplete is looked at once more, as the end.
      return true;
    }
    this.#xml = this.#at >= this.#xml.length ? more : this.#xml.slice(this.#at) + more;
    this.#at = 0;
    return true;
  }

  #markup(open: number): number {
    const xml = this.#xml;
    const second = xml.charCodeAt(open + 1);
    if (second === 47) return this.#closingTag(open);
    if (second === 63) return this.#past('?>', open + 2);
    if (second !== 33) return this.#openingTag(open);
    if (xml.startsWith('<!--', open)) return this.#past('-->', open + 4);
    if (xml.startsWith('<![CDATA[', open)) {
      if (this.#past(']]>', open + 9) === incomplete) return incomplete;
      this.#from = open + 9;
      this.#to = this.#at - 3;
      this.#isLiteral = true;
      return textToken;
    }
    if (xml.length - open < 9 && !this.#isDone) return incomplete;
    throw documentType(this.#where);
  }

  #past(mark: string, from: number): number {
    const at = this.#xml.indexOf(mark, from);
    if (at < 0) return incomplete;
    this.#at = at + mark.length;
    return passedOver;
  }

  #closingTag(open: number): number {
    const xml = this.#xml;
    const end = xml.indexOf('>', open);
    if (end < 0) return incomplete;
    let to = end;
    while (xml.charCodeAt(to - 1) <= 32) to--;
    this.#from = open + 2;
    this.#to = to;
    this.#at = end + 1;
    this.depth--;
    return closeToken;
  }

  #openingTag(open: number): number {
    const xml = this.#xml;
    const spans = this.#spans;
    let i = open + 1;
    let code = xml.charCodeAt(i);
    while (code > 32 && code !== 62 && code !== 47) code = xml.charCodeAt(++i);
    const nameTo = i;
    if (nameTo === open + 1 && !Number.isNaN(code)) throw damaged(`${this.#where} contains a tag without a name`);
    let count = 0;
    for (;;) {
      while (code <= 32) code = xml.charCodeAt(++i);
      if (code === 62) break;
      if (code === 47) {
        code = xml.charCodeAt(++i);
        if (code === 62) break;
      }
      if (Number.isNaN(code)) return incomplete;
      const from = i;
      while (code > 32 && code !== 61 && code !== 62) code = xml.charCodeAt(++i);
      const to = i;
      while (code <= 32) code = xml.charCodeAt(++i);
      if (code === 61) {
        code = xml.charCodeAt(++i);
        while (code <= 32) code = xml.charCodeAt(++i);
      } else if (!Number.isNaN(code)) code = 0;
      if (Number.isNaN(code)) return incomplete;
      if (code !== 34 && code !== 39)
        throw damaged(
          `${this.#where} contains the attribute "${xml.slice(from, Math.min(to, from + 40))}" without a quoted value`,
        );
      const quote = code;
      const valueFrom = i + 1;
      do code = xml.charCodeAt(++i);
      while (code !== quote && !Number.isNaN(code));
      if (Number.isNaN(code)) return incomplete;
      spans[count] = from;
      spans[count + 1] = to;
      spans[count + 2] = valueFrom;
      spans[count + 3] = i;
      count += spansEach;
      code = xml.charCodeAt(++i);
    }
    this.#from = open + 1;
    this.#to = nameTo;
    this.#attributes = count / spansEach;
    this.#closesNext = xml.charCodeAt(i - 1) === 47;
    this.#at = i + 1;
    this.depth++;
    return openToken;
  }
}

function decoded(raw: string): string {
  return decodeXmlEntities(withLineEnds(raw));
}

function withLineEnds(raw: string): string {
  return raw.includes('\r') ? raw.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : raw;
}

export function documentType(where: string): FormatError {
  return new FormatError(
    'damaged',
    `${where} declares a document type, which can hide entity attacks and never occurs in a file of this ` +
      'kind. Save the file again in the program that created it and upload the new copy.',
  );
}
