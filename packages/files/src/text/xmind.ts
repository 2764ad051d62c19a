import { damaged, FormatError } from '../format-error.ts';
import { TextBuilder } from './text-builder.ts';
import type { DecodeJob, DecodedFile } from '../decode-types.ts';
import { localName, scanXml, decodeXml } from '../xml/sax.ts';
import { openZip, type ZipArchive } from '../zip/reader.ts';

export function isXmindArchive(archive: ZipArchive): boolean {
  // OpenDocument files also contain content.xml, but in contrast to Xmind files they have a mimetype entry.
  return (archive.has('content.json') || archive.has('content.xml')) && !archive.has('mimetype');
}

export function decodeXmind(bytes: Uint8Array, job: DecodeJob): DecodedFile {
  const archive = openZip(bytes, job.limits);
  if (!isXmindArchive(archive)) {
    throw new FormatError(
      'unsupported',
      'The archive is not an Xmind file: it contains neither content.json nor content.xml. Other zip files cannot be added.',
    );
  }
  refuseEncrypted(archive);
  const out = new TextBuilder(job.limits.maxTextChars);
  const found = archive.has('content.json') ? fromJson(archive, out, job) : fromXml(archive, out, job);
  return out.done(found.title, { format: 'xmind', sheets: found.sheets });
}

function refuseEncrypted(archive: ZipArchive): void {
  const manifests = ['manifest.json', 'META-INF/manifest.xml'].filter((name) => archive.has(name));
  for (const name of manifests) {
    if (/encryption-?data/i.test(new TextDecoder().decode(archive.read(name)))) {
      throw new FormatError(
        'encrypted',
        'The mind map is password-protected and cannot be opened here. Save it without a password and upload it again.',
      );
    }
  }
}

interface MindMap {
  title: string | undefined;
  sheets: number;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textAt(value: unknown, ...path: string[]): string {
  let at = value;
  for (const step of path) at = isObject(at) ? at[step] : undefined;
  return typeof at === 'string' ? at : '';
}

function fromJson(archive: ZipArchive, out: TextBuilder, job: DecodeJob): MindMap {
  let sheets: unknown;
  try {
    sheets = JSON.parse(new TextDecoder().decode(archive.read('content.json')));
  } catch (error) {
    if (error instanceof FormatError) throw error;
    throw damaged('its content.json is not JSON', error);
  }
  if (!Array.isArray(sheets)) throw damaged('its content.json contains no list of sheets');
  let title: string | undefined;
  let count = 0;
  for (const sheet of sheets) {
    if (!isObject(sheet)) continue;
    title ??= textAt(sheet, 'rootTopic', 'title') || undefined;
    startSheet(out, textAt(sheet, 'title'));
    // Uses a stack instead of recursion, because topics can be nested to any depth.
    const waiting: Array<{ topic: unknown; depth: number }> = [{ topic: sheet['rootTopic'], depth: 1 }];
    while (waiting.length > 0) {
      const { topic, depth } = waiting.pop()!;
      if (!isObject(topic)) continue;
      if (++count > job.limits.maxNodes) throw tooManyTopics(job);
      writeTopic(out, depth, textAt(topic, 'title'));
      out.line(textAt(topic, 'notes', 'plain', 'content'));
      const labels = topic['labels'];
      if (Array.isArray(labels)) out.line(labels.filter((label) => typeof label === 'string').join(' '));
      const groups = isObject(topic['children']) ? Object.values(topic['children']) : [];
      const inner = groups.flatMap((group) => (Array.isArray(group) ? group : []));
      for (const child of inner.toReversed()) waiting.push({ topic: child, depth: depth + 1 });
    }
  }
  return { title, sheets: sheets.length };
}

/** Starts a page named after the sheet and writes the name into the text. Does nothing for a blank name. */
function startSheet(out: TextBuilder, name: string): void {
  if (name.trim() === '') return;
  out.page(name);
  out.line(name);
}

function writeTopic(out: TextBuilder, depth: number, title: string): void {
  if (depth <= 3) out.heading(depth, title);
  else out.line(title);
}

function tooManyTopics(job: DecodeJob): FormatError {
  return new FormatError('too_large', `The mind map contains more than ${job.limits.maxNodes} topics.`);
}

function fromXml(archive: ZipArchive, out: TextBuilder, job: DecodeJob): MindMap {
  const part = 'content.xml';
  const xml = decodeXml(archive.read(part));
  const names = sheetNames(xml, part);
  let title: string | undefined;
  let sheets = 0;
  let depth = 0;
  let topics = 0;
  let collecting: 'title' | 'plain' | 'label' | undefined;
  let text = '';
  scanXml(xml, `The part "${part}"`, {
    open(name) {
      const local = localName(name);
      if (local === 'sheet') startSheet(out, names[sheets++] ?? '');
      else if (local === 'topic') {
        depth++;
        if (++topics > job.limits.maxNodes) throw tooManyTopics(job);
      } else if ((local === 'title' && depth > 0) || local === 'plain' || local === 'label') {
        collecting = local;
        text = '';
      }
    },
    text(piece) {
      if (collecting !== undefined) text += piece;
    },
    close(name) {
      const local = localName(name);
      if (local === 'topic') depth--;
      if (local !== collecting) return;
      if (local === 'title') {
        title ??= text;
        writeTopic(out, depth, text);
      } else out.line(text);
      collecting = undefined;
    },
  });
  return { title, sheets };
}

/**
 * Returns the sheet names in file order. They need a separate pass, because a sheet's title follows its topics in the
 * file.
 */
function sheetNames(xml: string, part: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let isName = false;
  scanXml(xml, `The part "${part}"`, {
    open(name) {
      const local = localName(name);
      if (local === 'sheet') names.push('');
      else if (local === 'topic') depth++;
      else if (local === 'title') isName = depth === 0 && names.length > 0;
    },
    text(text) {
      if (isName) names[names.length - 1] += text;
    },
    close(name) {
      const local = localName(name);
      if (local === 'topic') depth--;
      else if (local === 'title') isName = false;
    },
  });
  return names;
}
