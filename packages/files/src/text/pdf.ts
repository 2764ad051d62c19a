import { replaceRadicals } from '@sheaf/search/analysis/radicals';
import { FormatError } from '../format-error.ts';
import { ensureArrayBufferTransfer } from './array-buffer-transfer.ts';
import { DerivedCMaps } from './pdf-cmaps.ts';
import {
  bodySize,
  compoundsOf,
  headingLevelOf,
  joinHyphenated,
  toLines,
  type PdfLine,
  type PdfTextItem,
} from './pdf-lines.ts';
import { hasShownAnnotations, shownTexts, storedTexts, type OperatorList, type Operators } from './pdf-annotations.ts';
import { withoutIdentityEncryption } from './pdf-encryption.ts';
import { oneLine, TextBuilder } from './text-builder.ts';
import type { DecodeJob, DecodedFile } from '../decode-types.ts';

export async function decodePdf(bytes: Uint8Array, job: DecodeJob): Promise<DecodedFile> {
  ensureArrayBufferTransfer();
  const { getDocumentProxy, getResolvedPDFJS } = await import('unpdf');
  const { OPS } = await getResolvedPDFJS();
  const maps = new DerivedCMaps();
  let document;
  try {
    const plain = withoutIdentityEncryption(bytes, job.owned === true);
    // pdf.js transfers the buffer, after which the caller cannot use it. Pass a copy unless the job owns the bytes or
    // `plain` is a copy already.
    document = await getDocumentProxy(job.owned || plain !== bytes ? plain : bytes.slice(), {
      ...(job.password === undefined ? {} : { password: job.password }),
      // These options prevent pdf.js from executing, rendering or fetching anything in the file.
      isEvalSupported: false,
      enableXfa: false,
      disableFontFace: true,
      useSystemFonts: false,
      useWorkerFetch: false,
      useWasm: false,
      // Skip decoding pictures, because it is slow and they contain no text.
      maxImageSize: 1,
      stopAtErrors: false,
      verbosity: 0,
      cMapPacked: false,
      cMapUrl: 'made-up:/',
      BinaryDataFactory: binaryData(maps),
    });
  } catch (error) {
    throw openingError(error, job);
  }
  try {
    const pages = document.numPages;
    if (pages > job.limits.maxPages)
      throw new FormatError(
        'too_large',
        `The PDF declares ${pages} pages; the limit is ${job.limits.maxPages}. Split it and upload the parts.`,
      );
    const { all, textless, unread } = await readPages(document, OPS, job);
    const { title, author } = await infoOf(document);
    const compounds = compoundsOf(all);
    const lines = all.map((page) => joinHyphenated(page, compounds));
    const decoded = write(lines, await outlineOf(document), { title, author, pages }, job);
    const remark = remarkOn(pages, textless, unread);
    return remark === undefined ? decoded : { ...decoded, remark };
  } catch (error) {
    if (error instanceof FormatError) throw error;
    throw new FormatError(
      'damaged',
      'The PDF is damaged: a page cannot be read. Print it to a new PDF and upload that.',
      { cause: error },
    );
  } finally {
    await document.destroy();
  }
}

interface PdfPages {
  all: PdfLine[][];
  /** Number of pages without text. */
  textless: number;
  /** Number of pages that are damaged. */
  unread: number;
}

/** Reads the lines of every page; a damaged page gets none. Throws if no page can be read or the text is too long. */
async function readPages(document: PdfSource, operators: Operators, job: DecodeJob): Promise<PdfPages> {
  const found: PdfPages = { all: [], textless: 0, unread: 0 };
  let chars = 0;
  let failure: unknown;
  for (let number = 1; number <= document.numPages; number++) {
    let lines: PdfLine[] = [];
    try {
      lines = await readPage(await document.getPage(number), operators);
      if (lines.length === 0) found.textless++;
    } catch (error) {
      failure = error;
      found.unread++;
    }
    chars += lines.reduce((sum, line) => sum + line.text.length, 0);
    if (chars > job.limits.maxTextChars)
      throw new FormatError(
        'too_large',
        `The PDF contains more than ${job.limits.maxTextChars} characters of text. Split it and upload the parts.`,
      );
    found.all.push(lines);
  }
  if (found.unread > 0 && found.unread === document.numPages) throw failure;
  return found;
}

async function readPage(page: PdfPage, operators: Operators): Promise<PdfLine[]> {
  const content = await page.getTextContent({ includeMarkedContent: false, disableNormalization: true });
  const values = await annotationTexts(page, operators);
  page.cleanup();
  const lines = toLines(content.items.filter((item) => isTextItem(item)));
  return [...lines, ...values.map((text) => ({ text, size: 0 }))];
}

/** Returns a remark for the user if pages are damaged, or if more than half of them have no text. */
function remarkOn(pages: number, textless: number, unread: number): string | undefined {
  if (unread > 0) return `${unread} of the ${pages} pages are damaged and were not read.`;
  const advice = 'They seem to be scanned: run text recognition (OCR) on the PDF and upload the result.';
  if (textless === pages) return `The PDF contains no text, only pictures of its pages. ${advice}`;
  return textless * 2 > pages ? `${textless} of the ${pages} pages contain no text. ${advice}` : undefined;
}

interface PdfSource {
  numPages: number;
  getPage(number: number): Promise<PdfPage>;
}

interface PdfPage {
  getTextContent(options: object): Promise<{ items: object[] }>;
  cleanup(): void;
  getAnnotations(options: { intent: string }): Promise<object[]>;
  getOperatorList(options: { annotationMode: number }): Promise<OperatorList>;
}

/** Annotation mode of pdf.js that draws annotations, including form fields. */
const enableAnnotations = 1;

/** Returns the texts of a page's annotations: displayed texts first, then stored texts that are not among them. */
async function annotationTexts(page: PdfPage, operators: Operators): Promise<string[]> {
  const annotations = await page.getAnnotations({ intent: 'display' });
  if (!hasShownAnnotations(annotations)) return [];
  const shown = await page.getOperatorList({ annotationMode: enableAnnotations }).then(
    (list) => shownTexts(list, operators),
    // If the page cannot be drawn, use only the stored texts.
    () => [],
  );
  const packed = shown.join('').replace(/\s+/g, '');
  const unique = new Set(storedTexts(annotations).filter((text) => !packed.includes(text.replace(/\s+/g, ''))));
  return [...shown, ...unique];
}

function isTextItem(item: object): item is PdfTextItem {
  return 'str' in item && 'transform' in item;
}

function binaryData(maps: DerivedCMaps) {
  return class {
    fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
      const source = kind === 'cMapUrl' ? maps.source(filename) : undefined;
      if (source === undefined) return Promise.reject(new Error(`no ${kind} data`));
      return Promise.resolve(new TextEncoder().encode(source));
    }
  };
}

function openingError(cause: unknown, job: DecodeJob): FormatError {
  const name = cause instanceof Error ? cause.name : '';
  if (name === 'PasswordException') {
    return job.password === undefined || job.password === ''
      ? new FormatError(
          'encrypted',
          'The PDF is password-protected. Send the password with it (file_info.password), or save it without one.',
        )
      : new FormatError(
          'wrong_password',
          'The password is wrong for the PDF. Check it and add the file again with the correct one.',
        );
  }
  return new FormatError('damaged', 'The PDF is damaged and cannot be opened. Print it to a new PDF and upload that.', {
    cause,
  });
}

interface PdfDocument {
  getMetadata(): Promise<{ info: object }>;
  getOutline(): Promise<unknown>;
}

async function infoOf(document: PdfDocument): Promise<{ title?: string; author?: string }> {
  try {
    const { info } = await document.getMetadata();
    const read = (key: string): string | undefined => {
      const value: unknown = Reflect.get(info, key);
      return typeof value === 'string' && value.trim() !== '' ? normalizePdfText(value) : undefined;
    };
    return { title: usableTitle(read('Title')), author: read('Author') };
  } catch (error) {
    // A broken information dictionary does not affect the text, so return no metadata.
    if (error instanceof Error) return {};
    throw error;
  }
}

/** Returns the title, or undefined if it is only a placeholder or a file name, as printer drivers set it. */
function usableTitle(title: string | undefined): string | undefined {
  if (
    title === undefined ||
    /^(?:untitled|无标题|microsoft (?:word|powerpoint|excel)\b.*|.*\.(?:docx?|pptx?|xlsx?|indd|tex|dvi|qxd|wps))$/i.test(
      title.trim(),
    )
  )
    return undefined;
  return title;
}

async function outlineOf(document: PdfDocument): Promise<Map<string, number>> {
  const titles = new Map<string, number>();
  const walk = (items: unknown, level: number): void => {
    if (!Array.isArray(items) || level > 6 || titles.size > 5_000) return;
    for (const item of items) {
      if (typeof item !== 'object' || item === null || !('title' in item) || typeof item.title !== 'string') continue;
      const key = headingKey(normalizePdfText(item.title));
      if (key !== '' && !titles.has(key)) titles.set(key, level);
      if ('items' in item) walk(item.items, level + 1);
    }
  };
  try {
    walk(await document.getOutline(), 1);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
  return titles;
}

function headingKey(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase();
}

/**
 * Normalizes compatibility characters, which are common in PDF text: ligatures, full-width letters and CJK radicals.
 */
export function normalizePdfText(text: string): string {
  return replaceRadicals(text.normalize('NFKC'));
}

interface PdfContent {
  title: string | undefined;
  author: string | undefined;
  pages: number;
}

function write(pages: PdfLine[][], outline: Map<string, number>, found: PdfContent, job: DecodeJob): DecodedFile {
  const out = new TextBuilder(job.limits.maxTextChars);
  const body = bodySize(pages);
  let biggest: { size: number; text: string } | undefined;
  for (const [index, lines] of pages.entries()) {
    if (lines.length > 0) out.page(`page ${index + 1}`);
    out.gap();
    for (const line of lines) {
      const text = normalizePdfText(line.text);
      const level = outline.get(headingKey(text)) ?? (outline.size === 0 ? headingLevelOf(line, body) : 0);
      if (level > 0) out.heading(level, text);
      else out.line(text);
      if (index === 0 && level > 0 && (biggest === undefined || line.size > biggest.size))
        biggest = { size: line.size, text };
    }
  }
  const title = found.title ?? (biggest === undefined ? undefined : oneLine(biggest.text));
  return out.done(title, {
    format: 'pdf',
    pages: found.pages,
    ...(found.author === undefined ? {} : { author: oneLine(found.author, 200) }),
  });
}
