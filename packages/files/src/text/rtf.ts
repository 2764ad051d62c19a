import { FormatError } from '../format-error.ts';
import type { DecodeJob, DecodedFile, DecodeLimits } from '../decode-types.ts';
import { charsetOfCodePage, charsetOfFont, specialCharacters } from './rtf-tables.ts';
import { oneLine, TextBuilder } from './text-builder.ts';

export function decodeRtf(bytes: Uint8Array, job: DecodeJob): DecodedFile {
  const out = new TextBuilder(job.limits.maxTextChars);
  const { title, author } = writeRtf(bytes, out, job.limits);
  return out.done(title, { format: 'rtf', ...(author === undefined ? {} : { author }) });
}

/** Writes the text of an RTF document to `out` and returns its title and author. */
export function writeRtf(
  bytes: Uint8Array,
  out: TextBuilder,
  limits: DecodeLimits,
): { title?: string; author?: string } {
  const reader = new RtfReader(bytes, out, limits);
  reader.read();
  const title = oneLine(reader.title);
  const author = oneLine(reader.author, 200);
  return { ...(title === '' ? {} : { title }), ...(author === '' ? {} : { author }) };
}

/** Where the text of an RTF group (the content of a pair of braces) is written to. */
type Destination = 'text' | 'title' | 'author' | 'fonts' | 'none';

interface Group {
  destination: Destination;
  /** Charset of the current font; undefined if it is the document's charset. */
  charset: string | undefined;
  /** Number of characters to skip after a Unicode character (`\u`). They repeat it for readers without Unicode. */
  fallback: number;
  isHidden: boolean;
  /**
   * True for text that Outlook marks with `\htmlrtf` because it is not part of the HTML mail stored in the RTF. Such
   * text is skipped.
   */
  isHtmlMarkup: boolean;
  /** True if the group is a note, comment, header, footer or shape, whose text is written on separate lines. */
  isAside: boolean;
}

/**
 * Control words of RTF destinations (groups of text for a given purpose) that contain no document text and are skipped.
 * Other destinations that start with `\*` are skipped as well, except those in `kept`.
 */
const silent = new Set(
  `colortbl stylesheet listtable listoverridetable rsidtbl generator pict objdata themedata colorschememapping datastore
latentstyles xmlnstbl filetbl revtbl private fldinst bkmkstart bkmkend background pgdsctbl atrfstart atrfend atnid
atnauthor atndate atnicn atnref datafield objclass objname template mmathPr wgrffmtfilter listpicture pnseclvl
falt panose fontemb mhtmltag operator company manager category keywords doccomm hlinkbase creatim revtim printim
subject comment sn sp nonshppict`.split(/\s+/),
);
/** Destinations whose text is written although they are marked with `\*`: shapes, notes and comments. */
const kept = new Set(['shpinst', 'shptxt', 'annotation', 'footnote']);
const maxGroups = 10_000;

class RtfReader {
  title = '';
  author = '';
  readonly #bytes: Uint8Array;
  readonly #out: TextBuilder;
  readonly #limits: DecodeLimits;
  readonly #groups: Group[] = [];
  #group: Group = {
    destination: 'text',
    charset: undefined,
    fallback: 1,
    isHidden: false,
    isHtmlMarkup: false,
    isAside: false,
  };
  #at = 0;
  #documentCharset = 'windows-1252';
  readonly #fonts = new Map<number, string>();
  #font = 0;
  /** Text bytes that are collected before they are decoded, because a character may consist of two bytes. */
  #pending: number[] = [];
  #line = '';
  #chars = 0;
  #toSkip = 0;
  #isOptional = false;
  /** True right after a group was opened: only its first control word may name a destination. */
  #isStart = false;

  constructor(bytes: Uint8Array, out: TextBuilder, limits: DecodeLimits) {
    this.#bytes = bytes;
    this.#out = out;
    this.#limits = limits;
  }

  read(): void {
    while (this.#at < this.#bytes.length) {
      const byte = this.#bytes[this.#at++]!;
      if (byte === 0x5c) this.#control();
      else if (byte === 0x7b) this.#open();
      else if (byte === 0x7d) this.#close();
      else if (byte !== 0x0d && byte !== 0x0a && byte !== 0) this.#byte(byte);
    }
    this.#endLine();
  }

  #open(): void {
    this.#flush();
    if (this.#groups.length >= maxGroups) throw new FormatError('too_large', 'The document is nested too deeply.');
    this.#groups.push(this.#group);
    this.#group = { ...this.#group };
    this.#toSkip = 0;
    this.#isOptional = false;
    this.#isStart = true;
  }

  #close(): void {
    this.#flush();
    const before = this.#groups.pop();
    if (this.#group.isAside && before?.isAside === false) this.#endLine();
    if (before) this.#group = before;
    this.#toSkip = 0;
    this.#isOptional = false;
  }

  #byte(byte: number): void {
    this.#isStart = false;
    if (this.#toSkip > 0) {
      this.#toSkip--;
      return;
    }
    if (!this.#isShown) return;
    this.#pending.push(byte);
  }

  get #isShown(): boolean {
    const { destination, isHidden, isHtmlMarkup } = this.#group;
    return destination !== 'none' && destination !== 'fonts' && !isHidden && !isHtmlMarkup;
  }

  #flush(): void {
    if (this.#pending.length === 0) return;
    const bytes = Uint8Array.from(this.#pending);
    this.#pending = [];
    this.#write(new TextDecoder(this.#group.charset ?? this.#documentCharset).decode(bytes));
  }

  #write(text: string): void {
    const { destination } = this.#group;
    if (!this.#isShown) return;
    if (destination === 'title') this.title += text;
    else if (destination === 'author') this.author += text;
    else {
      this.#line += text;
      this.#chars += text.length;
      if (this.#chars > this.#limits.maxTextChars)
        throw new FormatError(
          'too_large',
          `The file contains more than ${this.#limits.maxTextChars} characters of text. Split it and upload the parts.`,
        );
    }
  }

  #endLine(): void {
    this.#flush();
    this.#out.line(this.#line.replace(/\t+$/, ''));
    this.#line = '';
  }

  #control(): void {
    const bytes = this.#bytes;
    const code = bytes[this.#at] ?? 0;
    if (!isLetter(code)) {
      this.#at++;
      return this.#symbol(code);
    }
    const from = this.#at;
    while (isLetter(bytes[this.#at] ?? 0) && this.#at - from < 32) this.#at++;
    const word = String.fromCharCode(...bytes.subarray(from, this.#at));
    let value: number | undefined;
    const sign = bytes[this.#at] === 0x2d ? 1 : 0;
    const digits = this.#at + sign;
    let end = digits;
    while (isDigit(bytes[end] ?? 0) && end - digits < 10) end++;
    if (end > digits) {
      value = Number(String.fromCharCode(...bytes.subarray(digits, end))) * (sign === 1 ? -1 : 1);
      this.#at = end;
    }
    if (bytes[this.#at] === 0x20) this.#at++;
    this.#word(word, value);
  }

  #symbol(code: number): void {
    switch (code) {
      case 0x27: {
        const byte = Number.parseInt(String.fromCharCode(...this.#bytes.subarray(this.#at, this.#at + 2)), 16);
        this.#at += 2;
        if (!Number.isNaN(byte)) this.#byte(byte);
        return;
      }
      case 0x2a:
        this.#isOptional = true;
        return;
      case 0x0d:
      case 0x0a:
        return this.#word('par', undefined);
      case 0x7e:
        return this.#character('\u00a0');
      case 0x5f:
        return this.#character('-');
      case 0x5c:
      case 0x7b:
      case 0x7d:
        return this.#byte(code);
      default:
    }
  }

  #character(text: string): void {
    this.#flush();
    if (this.#toSkip > 0) this.#toSkip--;
    else this.#write(text);
  }

  #word(word: string, value: number | undefined): void {
    const isOptional = this.#isOptional;
    const isStart = this.#isStart;
    this.#isOptional = false;
    this.#isStart = false;
    if (word === 'bin') {
      this.#at += Math.max(0, value ?? 0);
      return;
    }
    if (this.#state(word, value) || (isStart && this.#destination(word, isOptional))) return;
    if (word === 'par' || word === 'sect' || word === 'page' || word === 'row' || word === 'nestrow') {
      if (this.#isShown && this.#group.destination === 'text') this.#endLine();
      else this.#flush();
    } else if (word === 'u') {
      this.#character(String.fromCharCode((value ?? 0) & 0xffff));
      this.#toSkip = this.#group.fallback;
    } else {
      const text = specialCharacters.get(word);
      if (text !== undefined) this.#character(text);
    }
  }

  /**
   * Applies an RTF control word that sets the charset, the font, the visibility or the number of fallback characters of
   * text. Returns false if `word` is another control word.
   */
  #state(word: string, value: number | undefined): boolean {
    const group = this.#group;
    switch (word) {
      case 'ansicpg':
        this.#documentCharset = charsetOfCodePage(value ?? 1252) ?? 'windows-1252';
        return true;
      case 'mac':
        this.#documentCharset = 'macintosh';
        return true;
      case 'uc':
        group.fallback = Math.max(0, Math.min(value ?? 1, 16));
        return true;
      case 'f':
        this.#flush();
        this.#font = value ?? 0;
        group.charset = group.destination === 'fonts' ? undefined : this.#fonts.get(this.#font);
        return true;
      case 'fcharset': {
        const charset = charsetOfFont(value ?? 0);
        if (group.destination === 'fonts' && charset !== undefined) this.#fonts.set(this.#font, charset);
        return true;
      }
      case 'cpg': {
        const charset = charsetOfCodePage(value ?? 0);
        if (group.destination === 'fonts' && charset !== undefined) this.#fonts.set(this.#font, charset);
        return true;
      }
      case 'plain':
        this.#flush();
        Object.assign(group, { charset: undefined, isHidden: false });
        return true;
      case 'v':
      case 'deleted':
        this.#flush();
        group.isHidden = value !== 0;
        return true;
      case 'htmlrtf':
        this.#flush();
        group.isHtmlMarkup = value !== 0;
        return true;
      default:
        return false;
    }
  }

  /**
   * Sets the destination of an RTF group's text. Returns whether `word`, the first control word of the group, names a
   * destination. `isOptional` is true if the word is marked with `\*`.
   */
  #destination(word: string, isOptional: boolean): boolean {
    const group = this.#group;
    if (word === 'fonttbl') group.destination = 'fonts';
    else if (group.destination === 'none') return false;
    else if (word === 'info') group.destination = 'none';
    else if (silent.has(word) || (isOptional && !kept.has(word))) group.destination = 'none';
    else if (/^(?:header|footer)[lrf]?$|^(?:footnote|annotation|shptxt|shprslt)$/.test(word)) {
      if (word === 'shprslt') group.destination = 'none';
      else {
        this.#endLine();
        group.isAside = true;
      }
    } else return false;
    if (word === 'info') this.#info();
    return true;
  }

  /** Reads title and author from the `info` group of the RTF document, and ignores its other entries. */
  #info(): void {
    const from = this.#at;
    const head = Buffer.from(this.#bytes.subarray(from, from + 8_192)).toString('latin1');
    for (const [name, target] of [
      ['title', 'title'],
      ['author', 'author'],
    ] as const) {
      const raw = new RegExp(`\\{\\\\(?:\\*\\\\)?${name} ((?:[^{}]|\\{[^{}]*\\}){0,2000})\\}`).exec(head)?.[1];
      if (raw !== undefined) this[target] = plainRtf(raw, this.#documentCharset);
    }
  }
}

/**
 * Returns the text of an entry in the information group of an RTF document, which has escaped characters but no
 * formatting.
 */
function plainRtf(raw: string, charset: string): string {
  const decoder = new TextDecoder(charset);
  return raw
    .replace(/\\u(-?\d{1,6}) ?(?:\\'[0-9a-f]{2}|\?)?/gi, (_, code: string) =>
      String.fromCharCode(Number(code) & 0xffff),
    )
    .replace(/(?:\\'[0-9a-f]{2})+/gi, (codes) => decoder.decode(Buffer.from(codes.replaceAll("\\'", ''), 'hex')))
    .replace(/[{}]|\\[a-z]+-?\d* ?/g, '');
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
