import { damaged } from '../format-error.ts';
import { appendLinkTarget } from './append-link-target.ts';
import { sanitizedArchive, coreProperties } from '../containers/office-container.ts';
import { declaredMainPart, internalRelationships } from '../containers/package-parts.ts';
import { TextBuilder } from './text-builder.ts';
import type { DecodeJob, Decoded } from '../decode-types.ts';
import { localName, scanXml, decodeXml } from '../xml/sax.ts';
import type { ZipArchive } from '../zip/reader.ts';

/** The fields of mammoth's document nodes that are read here. */
interface DocumentNode {
  type: string;
  value?: string;
  href?: string | null;
  styleId?: string | null;
  styleName?: string | null;
  children?: DocumentNode[];
  notes?: unknown;
  comments?: DocumentNode[];
  body?: DocumentNode[];
}

export async function decodeDocx(archive: ZipArchive, job: DecodeJob): Promise<Decoded> {
  const main = archive.has('word/document.xml') || archive.has('_rels/.rels');
  if (!main) throw damaged('it is missing the main part of a Word document');
  // Omit parts that hold no text, so that they are never inflated.
  const clean = sanitizedArchive(
    archive,
    (name) => !/^(?:word\/(?:theme|media|embeddings|charts|diagrams)\/|customXml\/)/.test(name),
    unwrapFields,
  );
  const { default: mammoth } = await import('mammoth');
  let tree: DocumentNode | undefined;
  await mammoth.convertToHtml(
    { buffer: Buffer.from(clean.buffer, clean.byteOffset, clean.byteLength) },
    {
      includeEmbeddedStyleMap: false,
      externalFileAccess: false,
      transformDocument(document: DocumentNode) {
        tree = document;
        // Only the document tree is needed: an empty document makes mammoth's HTML conversion free.
        return { ...document, children: [], comments: [] };
      },
    },
  );
  if (tree === undefined) throw damaged('its main part cannot be read');
  const out = new TextBuilder(job.limits.maxTextChars);
  let title: string | undefined;
  const walk = (node: DocumentNode): void => {
    if (node.type === 'paragraph') {
      const text = inlineText(node);
      const level = headingLevel(node);
      if (isTitle(node)) title ??= text;
      if (level > 0) out.heading(level, text);
      else out.line(text);
    } else if (node.type === 'table') {
      writeTable(node, out);
    } else {
      for (const child of node.children ?? []) walk(child);
    }
  };
  walk(tree);
  for (const note of notesOf(tree)) for (const block of note.body ?? []) walk(block);
  for (const comment of tree.comments ?? []) for (const block of comment.body ?? []) walk(block);
  for (const line of headerAndFooterLines(archive)) out.line(line);
  const { title: named, author } = coreProperties(archive);
  return out.done(title ?? named, { format: 'docx', ...(author === undefined ? {} : { author }) });
}

/** Removes `fldSimple` tags and keeps their content, because mammoth skips everything inside them. */
function unwrapFields(name: string, xml: string): string {
  if (!name.startsWith('word/') || !xml.includes('fldSimple')) return xml;
  return xml.replace(/<\/?(?:[\w.-]{1,64}:)?fldSimple\b(?:"[^"]{0,8192}"|'[^']{0,8192}'|[^"'<>]){0,4096}>/g, '');
}

function headerAndFooterLines(archive: ZipArchive): Set<string> {
  const main = declaredMainPart(archive);
  const lines = new Set<string>();
  for (const { type, target } of internalRelationships(archive, main ?? 'word/document.xml')) {
    if (!/\/(?:header|footer)$/.test(type) || !archive.has(target)) continue;
    let line = '';
    let inText = false;
    scanXml(decodeXml(archive.read(target)), `The part "${target}"`, {
      open(name) {
        const local = localName(name);
        if (local === 't') inText = true;
        else if (local === 'tab' || local === 'br') line += ' ';
      },
      text(text) {
        if (inText) line += text;
      },
      close(name) {
        const local = localName(name);
        if (local === 't') inText = false;
        if (local !== 'p') return;
        if (/\p{Letter}/u.test(line)) lines.add(line.trim());
        line = '';
      },
    });
  }
  return lines;
}

function notesOf(tree: DocumentNode): DocumentNode[] {
  const holder = tree.notes;
  if (typeof holder !== 'object' || holder === null || !('_notes' in holder)) return [];
  const notes = holder._notes;
  return typeof notes === 'object' && notes !== null ? Object.values(notes) : [];
}

function headingLevel(node: DocumentNode): number {
  const named =
    /^(?:heading|标题|標題|見出し|제목)\s*([1-9])$/i.exec(node.styleName ?? '') ??
    /^heading([1-9])$/i.exec(node.styleId ?? '');
  if (named !== null) return Number(named[1]);
  return isTitle(node) ? 1 : 0;
}

function isTitle(node: DocumentNode): boolean {
  return /^title$/i.test(node.styleName ?? '') || /^title$/i.test(node.styleId ?? '');
}

function inlineText(node: DocumentNode): string {
  // Word splits a link into one run per style. Merge runs with the same target, so that the target is written once.
  const pieces: { text: string; target: string }[] = [];
  const add = (text: string, target: string): void => {
    const last = pieces.at(-1);
    if (last?.target === target) last.text += text;
    else pieces.push({ text, target });
  };
  const collect = (inner: DocumentNode, target: string): void => {
    if (inner.type === 'text') add(inner.value ?? '', target);
    else if (inner.type === 'tab') add('\t', target);
    else if (inner.type === 'break') add('\n', target);
    else for (const child of inner.children ?? []) collect(child, inner.href ?? target);
  };
  collect(node, '');
  return pieces.map(({ text, target }) => appendLinkTarget(text, target)).join('');
}

function writeTable(table: DocumentNode, out: TextBuilder): void {
  for (const row of table.children ?? []) {
    const cells = (row.children ?? []).map((cell) =>
      (cell.children ?? [])
        .map((block) => inlineText(block).trim())
        .filter((text) => text !== '')
        .join(' '),
    );
    out.line(cells.join('\t'));
  }
}
