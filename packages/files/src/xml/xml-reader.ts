import { damaged, FormatError } from '../format-error.ts';
import { decodeXmlEntities } from './xml-entities.ts';

export const endToken = 0;
export const openToken = 1;
export const closeToken = 2;
export const textToken = 3;

const skippedToken = 4;
const incompleteToken = 5;

/**
 * Supplies XML text in pieces. `next` returns up to the given number of pieces as one string, or undefined at the end.
 */
export interface XmlSource {
  next(pieces: number): string | undefined;
}

/** Number of entries in `#spans` for each attribute: start and end of its name, start and end of its value. */
const spansEach = 4;

/**
 * Pull parser for untrusted XML that arrives in pieces; only the unread part is held in memory. A document type
 * declaration is rejected, so no declared entity is ever expanded or fetched. Name, attributes and text of a token are
 * valid until the next call of `next`. A self-closing element is reported as an open and a close token.
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
  /** Number of elements currently open. */
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
        if (token < skippedToken) return token;
        if (token === incompleteToken && !this.#more()) throw damaged(`${this.#where} is truncated`);
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

  /** Local name of the current tag. The prefix is dropped, because each producer chooses its own. */
  get name(): string {
    const xml = this.#xml;
    for (let i = this.#from; i < this.#to; i++) if (xml.charCodeAt(i) === 58) return xml.slice(i + 1, this.#to);
    return xml.slice(this.#from, this.#to);
  }

  get qualifiedName(): string {
    return this.#xml.slice(this.#from, this.#to);
  }

  /** True if the element just opened is self-closing. */
  get isEmpty(): boolean {
    return this.#closesNext;
  }

  get text(): string {
    const raw = this.#xml.slice(this.#from, this.#to);
    return this.#isLiteral ? withLineEnds(raw) : decoded(raw);
  }

  /** Returns the value of the attribute with this qualified name; undefined if absent. */
  attribute(name: string): string | undefined {
    const xml = this.#xml;
    const spans = this.#spans;
    for (let i = 0; i < this.#attributes * spansEach; i += spansEach) {
      const from = spans[i]!;
      if (spans[i + 1]! - from === name.length && xml.startsWith(name, from)) return this.#value(i);
    }
    return undefined;
  }

  /**
   * Returns all attributes by qualified name. If `local` is set, returns them by local name, without namespace
   * declarations.
   */
  attributes(local = false): Map<string, string> {
    const found = new Map<string, string>();
    for (let i = 0; i < this.#attributes * spansEach; i += spansEach) {
      const name = this.#xml.slice(this.#spans[i]!, this.#spans[i + 1]!);
      if (local && name.startsWith('xmlns')) continue;
      found.set(local ? name.slice(name.indexOf(':') + 1) : name, this.#value(i));
    }
    return found;
  }

  /** Returns the text directly inside the element just opened, and moves past its closing tag. */
  content(): string {
    if (this.#closesNext) {
      this.next();
      return '';
    }
    const xml = this.#xml;
    const open = xml.indexOf('<', this.#at);
    if (open >= 0 && xml.charCodeAt(open + 1) === 47) {
      // Fast path: the element contains only text.
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

  /** Skips the content of the element just opened and its closing tag. */
  skip(): void {
    const outside = this.depth - 1;
    while (this.depth > outside) if (this.next() === endToken) throw damaged(`${this.#where} is truncated`);
  }

  #value(span: number): string {
    const raw = this.#xml.slice(this.#spans[span + 2]!, this.#spans[span + 3]!);
    const plain = /[\t\r\n]/.test(raw) ? raw.replaceAll('\r\n', ' ').replace(/[\t\r\n]/g, ' ') : raw;
    return decodeXmlEntities(plain);
  }

  /**
   * Appends more text from the source to the unread text. Returns false if an earlier call already met the end of the
   * source.
   */
  #more(): boolean {
    if (this.#isDone) return false;
    // Read one piece of the source at a time. If a token is longer than the buffered text, double the number of pieces
    // per read, so that the total copying stays linear.
    this.#pieces = this.#at === 0 && this.#xml !== '' ? this.#pieces * 2 : 1;
    const more = this.#source.next(this.#pieces);
    if (more === undefined) {
      this.#isDone = true;
      // The source has no more text. Return true once more, so that the caller parses the rest of the buffer as
      // complete.
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
      if (this.#past(']]>', open + 9) === incompleteToken) return incompleteToken;
      this.#from = open + 9;
      this.#to = this.#at - 3;
      this.#isLiteral = true;
      return textToken;
    }
    if (xml.length - open < 9 && !this.#isDone) return incompleteToken;
    throw doctypeError(this.#where);
  }

  #past(mark: string, from: number): number {
    const at = this.#xml.indexOf(mark, from);
    if (at < 0) return incompleteToken;
    this.#at = at + mark.length;
    return skippedToken;
  }

  #closingTag(open: number): number {
    const xml = this.#xml;
    const end = xml.indexOf('>', open);
    if (end < 0) return incompleteToken;
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
      if (Number.isNaN(code)) return incompleteToken;
      const from = i;
      while (code > 32 && code !== 61 && code !== 62) code = xml.charCodeAt(++i);
      const to = i;
      while (code <= 32) code = xml.charCodeAt(++i);
      if (code === 61) {
        code = xml.charCodeAt(++i);
        while (code <= 32) code = xml.charCodeAt(++i);
      } else if (!Number.isNaN(code)) code = 0;
      if (Number.isNaN(code)) return incompleteToken;
      if (code !== 34 && code !== 39)
        throw damaged(
          `${this.#where} contains the attribute "${xml.slice(from, Math.min(to, from + 40))}" without a quoted value`,
        );
      const quote = code;
      const valueFrom = i + 1;
      do code = xml.charCodeAt(++i);
      while (code !== quote && !Number.isNaN(code));
      if (Number.isNaN(code)) return incompleteToken;
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

export function doctypeError(where: string): FormatError {
  return new FormatError(
    'damaged',
    `${where} declares a document type, which can hide entity attacks and never occurs in a file of this ` +
      'kind. Save the file again in the program that created it and upload the new copy.',
  );
}
