import { damaged, FormatError } from '../format-error.ts';
import { eachElement, partText, partTitle } from '../containers/package-parts.ts';
import type { DecodeJob, DecodedFile } from '../decode-types.ts';
import { decodeXml } from '../xml/sax.ts';
import { withoutDoctype } from '../xml/doctype.ts';
import { openZip, type ZipArchive } from '../zip/reader.ts';
import { isNavigation } from './html-navigation.ts';
import { writeDom } from './html-text.ts';
import { parseHtml } from './html-tree.ts';
import { TextBuilder } from './text-builder.ts';

export async function decodeEpub(bytes: Uint8Array, job: DecodeJob): Promise<DecodedFile> {
  const archive = openZip(bytes, job.limits);
  const book = readPackage(archive);
  const encrypted = new TextDecoder().decode(
    archive.has('META-INF/encryption.xml') ? archive.read('META-INF/encryption.xml') : new Uint8Array(),
  );
  const out = new TextBuilder(job.limits.maxTextChars);
  let tags = 0;
  let hidden = 0;
  for (const chapter of book.chapters) {
    if (!archive.has(chapter)) continue;
    // Only encrypted chapters matter: obfuscated fonts are listed as encrypted too, but the text stays readable.
    if (encrypted.includes(chapter)) {
      hidden++;
      continue;
    }
    const html = decodeXml(archive.read(chapter));
    tags += html.split('<').length;
    if (tags > job.limits.maxNodes * 4)
      throw new FormatError('too_large', `The book contains more than ${job.limits.maxNodes * 4} tags.`);
    const { body, documentElement } = await parseHtml(expandEmptyTags(html));
    out.gap();
    const root = body ?? documentElement;
    if (root !== null) writeDom(root, out, isNavigation);
  }
  if (hidden > 0 && out.isEmpty)
    throw new FormatError('encrypted', 'The book is protected (DRM) and cannot be read here. It is found by its name.');
  return out.done(book.title, { format: 'epub', ...(book.author === undefined ? {} : { author: book.author }) });
}

/**
 * Adds end tags to self-closed elements such as `<title/>`. HTML ignores the closing slash of these elements, so such
 * an element would swallow the text after it.
 */
function expandEmptyTags(html: string): string {
  return html
    .replace(/^\s*<\?xml[^>]*\?>/, '')
    .replace(
      /<(title|script|style|iframe|textarea|div|span|p|a|i|b|em|td|li|h[1-6])((?:\s[^<>]*)?)\/>/gi,
      '<$1$2></$1>',
    );
}

interface Book {
  title: string | undefined;
  author: string | undefined;
  /** Names of the archive entries that hold the chapters, in reading order. */
  chapters: string[];
}

function readPackage(archive: ZipArchive): Book {
  const container = 'META-INF/container.xml';
  let path: string | undefined;
  eachElement(withoutDoctype(partText(archive, container) ?? ''), partTitle(container), {
    open({ name, attributes }) {
      if (name === 'rootfile') path ??= attributes.get('full-path');
    },
  });
  const xml = path === undefined ? undefined : partText(archive, path);
  if (path === undefined || xml === undefined) throw damaged('its table of contents is missing');
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const book: Book = { title: undefined, author: undefined, chapters: [] };
  const files = new Map<string, string>();
  eachElement(withoutDoctype(xml), partTitle(path), {
    open({ name, attributes }) {
      if (name === 'item' && /html|xml/.test(attributes.get('media-type') ?? '')) {
        const isContents = (attributes.get('properties') ?? '').split(/\s+/).includes('nav');
        if (!isContents) files.set(attributes.get('id') ?? '', entryName(folder, attributes.get('href') ?? ''));
      }
      const file = name === 'itemref' ? files.get(attributes.get('idref') ?? '') : undefined;
      if (file !== undefined && !book.chapters.includes(file)) book.chapters.push(file);
    },
    close(name, text) {
      if (name === 'title' && text.trim() !== '') book.title ??= text;
      if (name === 'creator' && text.trim() !== '') book.author ??= text.trim().slice(0, 200);
    },
  });
  return book;
}

/**
 * Resolves a relative link inside the EPUB archive to an entry name. An external link gives a name that no entry has.
 */
function entryName(folder: string, href: string): string {
  const steps: string[] = [];
  for (const step of `${folder}${href.replace(/#.*$/s, '')}`.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/');
}
