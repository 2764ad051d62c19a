import { damaged, FormatError } from '../format-error.ts';
import { eachElement, partText, partTitle } from '../containers/package-parts.ts';
import type { DecodeJob, DecodedFile } from '../decode-types.ts';
import { closeToken, endToken, openToken, textToken, XmlReader } from '../xml/xml-reader.ts';
import { BytesSource } from '../xml/xml-source.ts';
import { openZip, type ZipArchive } from '../zip/reader.ts';
import { appendLinkTarget } from './append-link-target.ts';
import { rowText } from './cell-text.ts';
import { openDocumentKind } from './file-signatures.ts';
import { TextBuilder } from './text-builder.ts';

const formatNames: Readonly<Record<string, string>> = { text: 'odt', presentation: 'odp', spreadsheet: 'ods' };

/** Decodes an OpenDocument file: a text, a presentation or a spreadsheet. */
export function decodeOpenDocument(bytes: Uint8Array, job: DecodeJob): DecodedFile {
  const archive = openZip(bytes, job.limits);
  if (!archive.has('content.xml')) throw damaged('it is missing its main part');
  if (/encryption-data/.test(partText(archive, 'META-INF/manifest.xml') ?? ''))
    throw new FormatError(
      'encrypted',
      'The document is password-protected and cannot be opened here. Save it without a password and upload it again.',
    );
  const kind = openDocumentKind(archive) ?? 'text';
  const out = new TextBuilder(job.limits.maxTextChars);
  const writer = new OdfWriter(out, kind, job);
  writer.write(archive, 'content.xml');
  if (archive.has('styles.xml')) writer.writeRepeatedLines(archive);
  const { title, author } = documentMeta(archive);
  return out.done(title ?? writer.title, {
    format: formatNames[kind] ?? kind,
    ...(kind === 'presentation' ? { slides: writer.pages } : {}),
    ...(kind === 'spreadsheet' ? { sheets: writer.pages } : {}),
    ...(author === undefined ? {} : { author }),
  });
}

function documentMeta(archive: ZipArchive): { title?: string; author?: string } {
  const part = 'meta.xml';
  const found: { title?: string; author?: string } = {};
  eachElement(partText(archive, part) ?? '<x/>', partTitle(part), {
    close(name, text) {
      if (text.trim() === '') return;
      if (name === 'title') found.title ??= text.trim();
      if (name === 'initial-creator' || name === 'creator') found.author ??= text.trim().slice(0, 200);
    },
  });
  return found;
}

interface Paragraph {
  text: string;
  /** Heading level; 0 for a normal paragraph. */
  level: number;
}

interface Row {
  cells: string[];
  /** How often the current cell is repeated in the row. */
  repeats: number;
}

/** Maximum number of cells written for one repeated empty cell. A tiny file can repeat a cell over all columns. */
const widestGap = 100;
/**
 * OpenDocument elements whose text is skipped. Author and date of a comment are listed with the prefix `dc:`, because
 * fields in the text have the same local names.
 */
const skipped = new Set(
  `tracked-changes forms scripts font-face-decls automatic-styles binary-data note-citation dc:creator dc:date
meta:creator-initials`.split(/\s+/),
);
/**
 * Classes of frames on a master page (template of slides) that are placeholders. Their text is skipped, because slides
 * do not display it.
 */
const placeholders = new Set('title subtitle outline page notes handout date-time page-number'.split(' '));

/**
 * Writes the text of one XML file of an OpenDocument package. Paragraphs and tables can nest, because notes and frames
 * are inside paragraphs.
 */
class OdfWriter {
  pages = 0;
  title: string | undefined;
  readonly #out: TextBuilder;
  readonly #kind: string;
  readonly #job: DecodeJob;
  #paragraphs: Paragraph[] = [];
  #rows: Row[] = [];
  #links: { from: number; target: string }[] = [];
  #titleDepth = 0;
  #cells = 0;

  constructor(out: TextBuilder, kind: string, job: DecodeJob) {
    this.#out = out;
    this.#kind = kind;
    this.#job = job;
  }

  write(archive: ZipArchive, part: string): void {
    const reader = new XmlReader(new BytesSource(archive.read(part)), partTitle(part));
    const open: string[] = [];
    for (;;) {
      const token = reader.next();
      if (token === endToken) break;
      if (token === textToken) this.#text(reader.text);
      else if (token === openToken) {
        if (skipped.has(reader.name) || skipped.has(reader.qualifiedName)) {
          reader.skip();
          continue;
        }
        open.push(reader.name);
        this.#open(reader, open.length);
      } else if (token === closeToken) this.#close(open.pop() ?? '', open.length + 1);
    }
    if (reader.depth > 0) throw damaged(`"${part}" is truncated`);
  }

  /**
   * Writes the texts that an ODF file stores once but shows on many pages: the page headers and footers of a document,
   * or the texts on all slides of a presentation. Equal lines are written once.
   */
  writeRepeatedLines(archive: ZipArchive): void {
    const lines = new Set<string>();
    const container = this.#kind === 'presentation' ? /^master-page$/ : /^(?:header|footer)(?:-left|-first)?$/;
    let inside = 0;
    let hidden = 0;
    eachElement(partText(archive, 'styles.xml') ?? '', partTitle('styles.xml'), {
      open({ name, attributes }) {
        if (container.test(name)) inside++;
        if (hidden > 0 || (name === 'frame' && placeholders.has(attributes.get('class') ?? ''))) hidden++;
      },
      close(name, text) {
        if (container.test(name)) inside--;
        // Skip the default footer of spreadsheets, which is "Page" and a number.
        const isShown = inside > 0 && hidden === 0 && /\p{Letter}/u.test(text) && !/^\s*Page\P{Letter}*$/u.test(text);
        if (isShown && /^(?:p|h|span|a)$/.test(name)) lines.add(text.trim());
        if (hidden > 0) hidden--;
      },
    });
    for (const line of lines) this.#out.line(line);
  }

  #text(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph) paragraph.text += text.replace(/[ \t\n\r]+/g, ' ');
  }

  #open(reader: XmlReader, depth: number): void {
    const { name } = reader;
    const attribute = (key: string): string | undefined => reader.attributes(true).get(key);
    switch (name) {
      case 'footer-decl':
      case 'header-decl':
      case 'date-time-decl':
        this.#paragraphs.push({ text: '', level: 0 });
        break;
      case 'h':
      case 'p':
        this.#paragraphs.push({ text: '', level: name === 'h' ? Number(attribute('outline-level') ?? 1) || 1 : 0 });
        break;
      case 's':
        this.#text(' ');
        break;
      case 'tab':
        this.#raw('\t');
        break;
      case 'line-break':
        this.#raw('\n');
        break;
      case 'a':
        this.#links.push({ from: this.#paragraphs.at(-1)?.text.length ?? 0, target: attribute('href') ?? '' });
        break;
      case 'frame':
        if (this.#kind === 'presentation' && attribute('class') === 'title') this.#titleDepth = depth;
        break;
      case 'page':
        if (this.#kind === 'presentation') this.#startPage(`slide ${this.pages + 1}`);
        break;
      case 'table':
        if (this.#kind === 'spreadsheet' && this.#rows.length === 0) this.#startSheet(attribute('name') ?? '');
        break;
      case 'table-row':
        this.#rows.push({ cells: [], repeats: 1 });
        break;
      case 'table-cell':
      case 'covered-table-cell':
        this.#openCell(Number(attribute('number-columns-repeated') ?? 1) || 1);
        break;
      default:
    }
  }

  #raw(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph) paragraph.text += text;
  }

  #startPage(label: string): void {
    if (++this.pages > this.#job.limits.maxPages)
      throw new FormatError('too_large', `The file has more than ${this.#job.limits.maxPages} pages.`);
    this.#out.page(label);
  }

  #startSheet(name: string): void {
    this.#startPage(name);
    this.#out.heading(1, name);
  }

  #openCell(repeats: number): void {
    const row = this.#rows.at(-1);
    if (row === undefined) return;
    row.repeats = Math.min(repeats, widestGap);
    row.cells.push('');
  }

  #close(name: string, depth: number): void {
    switch (name) {
      case 'footer-decl':
      case 'header-decl':
      case 'date-time-decl':
      case 'h':
      case 'p':
        this.#endParagraph();
        break;
      case 'a':
        this.#endLink();
        break;
      case 'frame':
        if (depth === this.#titleDepth) this.#titleDepth = 0;
        break;
      case 'table-cell':
      case 'covered-table-cell':
        this.#endCell();
        break;
      case 'table-row':
        this.#endRow();
        break;
      default:
    }
  }

  #endLink(): void {
    const link = this.#links.pop();
    const paragraph = this.#paragraphs.at(-1);
    if (!link || !paragraph) return;
    paragraph.text =
      paragraph.text.slice(0, link.from) + appendLinkTarget(paragraph.text.slice(link.from), link.target);
  }

  #endParagraph(): void {
    const { text, level } = this.#paragraphs.pop() ?? { text: '', level: 0 };
    const row = this.#rows.at(-1);
    if (row && row.cells.length > 0) {
      row.cells[row.cells.length - 1] = `${row.cells.at(-1)!} ${text}`.trim();
      return;
    }
    const heading = this.#titleDepth > 0 ? 1 : level;
    if (heading > 0) this.title ??= text.trim() || undefined;
    if (heading > 0) this.#out.heading(heading, text);
    else this.#out.line(text);
  }

  #endCell(): void {
    const row = this.#rows.at(-1);
    if (row === undefined) return;
    const text = row.cells.at(-1) ?? '';
    if (text !== '' && ++this.#cells > this.#job.limits.maxCells)
      throw new FormatError(
        'too_large',
        `The document contains more than ${this.#job.limits.maxCells} cells. Split it and upload the parts.`,
      );
    // Write a repeated value only once, because a tiny file can repeat it a million times. Empty cells are repeated to
    // keep the columns aligned.
    if (text === '') for (let more = 1; more < row.repeats; more++) row.cells.push('');
  }

  #endRow(): void {
    const text = rowText(this.#rows.pop()?.cells ?? []);
    if (text === '') return;
    const outer = this.#rows.at(-1);
    if (outer && outer.cells.length > 0) outer.cells[outer.cells.length - 1] = `${outer.cells.at(-1)!} ${text}`.trim();
    else this.#out.line(text);
  }
}
