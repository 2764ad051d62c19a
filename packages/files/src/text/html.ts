import { decodeBytes } from './charset.ts';
import type { DomDocument, DomElement, DomNode } from './dom-types.ts';
import { FormatError } from '../format-error.ts';
import { articleMeta } from './html-metadata.ts';
import { isNavigation } from './html-navigation.ts';
import { writeDom } from './html-text.ts';
import { parseHtml } from './html-tree.ts';
import { stripTags } from './markdown.ts';
import { TextBuilder } from './text-builder.ts';
import type { DecodeJob, DecodedFile } from '../decode-types.ts';

// Maximum number of nodes of a web page that is passed to the Readability library, which finds the main article. It
// takes too long for larger pages, so their whole text is used.
const readableElements = 30_000;
const readableMinChars = 140;
// Maximum nesting depth of a page for which Readability is used. Readability visits all ancestors of every element, so
// depth costs more than length.
const readableDepth = 200;

export async function decodeHtml(bytes: Uint8Array, job: DecodeJob): Promise<DecodedFile> {
  const { text, charset } = await decodeBytes(bytes, job.charset ?? declaredCharset(bytes));
  return htmlText(text, job, charset);
}

function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 4_096));
  return /<meta[^>]{0,300}?charset\s*=\s*["']?\s*([\w.:-]{2,40})/i.exec(head)?.[1];
}

async function htmlText(html: string, job: DecodeJob, charset: string): Promise<DecodedFile> {
  const document = await parseBounded(html, job);
  const { title, ...meta } = articleMeta(document, html, job.url);
  const article = job.article ? await readablePart(document) : undefined;
  const out = writeRoot(article ?? document.body ?? document.documentElement, html, job);
  return out.done(title, { format: 'html', charset, ...meta });
}

/** Returns the text of an HTML page contained in another file, such as a mail. */
export async function htmlToText(html: string, job: DecodeJob): Promise<string> {
  const document = await parseBounded(html, job);
  return writeRoot(document.body ?? document.documentElement, html, job).done(undefined, {}).text;
}

async function parseBounded(html: string, job: DecodeJob): Promise<DomDocument> {
  if (countTags(html) > job.limits.maxNodes)
    throw new FormatError('too_large', `The page contains more than ${job.limits.maxNodes} tags.`);
  return parseHtml(html);
}

/** Writes the text of a page without its navigation. If nothing else remains, the navigation is written too. */
function writeRoot(root: DomElement | null, html: string, job: DecodeJob): TextBuilder {
  const out = new TextBuilder(job.limits.maxTextChars);
  if (root === null) return out;
  try {
    writeDom(root, out, isNavigation);
    if (out.isEmpty) writeDom(root, out);
    return out;
  } catch (error) {
    if (error instanceof FormatError) throw error;
    // The page is nested too deeply to walk: use its text without tags.
    const plain = new TextBuilder(job.limits.maxTextChars);
    plain.append(stripTags(html));
    return plain;
  }
}

function countTags(html: string): number {
  let count = 0;
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at + 1)) count++;
  return count;
}

async function readablePart(document: DomDocument): Promise<DomElement | undefined> {
  // Take the body of a WeChat article directly. A style hides it until a script runs, and Readability skips hidden
  // elements.
  const account = document.querySelector('#js_content');
  if (account !== null && (account.textContent ?? '').trim() !== '') return account;
  if (!worthReading(document)) return undefined;
  // Readability is a CommonJS package, which has only a default export in the bundle.
  const { Readability } = (await import('@mozilla/readability')).default;
  const copy = document.cloneNode(true);
  const found: unknown = new Readability(copy as never, {
    charThreshold: readableMinChars,
    serializer: (node: unknown) => node as never,
  }).parse();
  if (typeof found !== 'object' || found === null || !('content' in found) || !('length' in found)) return undefined;
  if (typeof found.length !== 'number' || found.length < readableMinChars) return undefined;
  return found.content as DomElement;
}

function worthReading(document: DomDocument): boolean {
  let elements = 0;
  let depth = 0;
  for (let node: DomNode | null = document.documentElement; node !== null;) {
    if (++elements > readableElements || depth > readableDepth) return false;
    if (node.firstChild !== null) {
      node = node.firstChild;
      depth++;
      continue;
    }
    while (node !== null && node.nextSibling === null) {
      node = node.parentNode;
      depth--;
    }
    node = node?.nextSibling ?? null;
  }
  return true;
}
