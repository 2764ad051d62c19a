import { coreProperties } from '../containers/office-container.ts';
import { declaredMainPart, internalRelationships, partTitle } from '../containers/package-parts.ts';
import type { DecodeJob, DecodedFile } from '../decode-types.ts';
import { damaged, FormatError } from '../format-error.ts';
import { decodeXml, localName, scanXml } from '../xml/sax.ts';
import type { ZipArchive } from '../zip/reader.ts';
import { decodeBytes } from './charset.ts';
import { titleLevel, writeDocxPartText, type HeadingLevel } from './docx-part-text.ts';
import { chartTexts, diagramTexts } from './chart-and-diagram-texts.ts';
import { MetafileTexts } from './metafile-texts.ts';
import { htmlToText } from './html.ts';
import { writeRtf } from './rtf.ts';
import { TextBuilder } from './text-builder.ts';

export async function decodeDocx(archive: ZipArchive, job: DecodeJob): Promise<DecodedFile> {
  const declared = declaredMainPart(archive);
  const main = declared !== undefined && archive.has(declared) ? declared : 'word/document.xml';
  if (!archive.has(main)) throw damaged('it is missing the main part of a Word document');
  const out = new TextBuilder(job.limits.maxTextChars);
  const headingLevel = readHeadingStyles(archive, main);
  let title: string | undefined;
  const write = (part: string): string[] =>
    writeDocxPartText({ archive, part, out, headingLevel, onTitle: (text) => (title ??= text.trim() || undefined) });
  const drawings = new Set(write(main));
  const related = internalRelationships(archive, main).filter(({ target }) => archive.has(target));
  for (const kind of ['footnotes', 'endnotes', 'comments']) {
    const part = related.find((one) => one.kind === kind)?.target ?? `word/${kind}.xml`;
    if (archive.has(part)) for (const drawing of write(part)) drawings.add(drawing);
  }
  const pictures = new MetafileTexts(archive);
  const drawn = new Set<string>();
  for (const drawing of drawings)
    if (archive.has(drawing)) await writeDrawing({ archive, part: drawing, out, job, pictures, drawn });
  for (const line of drawn) out.line(line);
  const lines = new Set<string>();
  for (const { kind, target } of related)
    if (kind === 'header' || kind === 'footer')
      for (const drawing of writeDocxPartText({
        archive,
        part: target,
        out,
        headingLevel,
        line: (text) => (/\p{Letter}/u.test(text) ? lines.add(text.trim()) : undefined),
      }))
        for (const line of pictures.lines(drawing)) lines.add(line);
  for (const line of lines) out.line(line);
  const { title: named, author } = coreProperties(archive);
  return out.done(title ?? named, { format: 'docx', ...(author === undefined ? {} : { author }) });
}

/**
 * Returns a function that gives the heading level of a paragraph style. Headings are recognized by the name of the
 * style in several languages, or by its id.
 */
function readHeadingStyles(archive: ZipArchive, main: string): HeadingLevel {
  const levels = new Map<string, number>();
  const part = internalRelationships(archive, main).find(({ kind }) => kind === 'styles')?.target ?? 'word/styles.xml';
  let id = '';
  if (archive.has(part))
    scanXml(decodeXml(archive.read(part)), partTitle(part), {
      open(name, attributes) {
        const local = localName(name);
        if (local !== 'style' && local !== 'name') return;
        for (const [key, value] of attributes()) {
          if (local === 'style' && localName(key) === 'styleId') id = value;
          if (local === 'name' && localName(key) === 'val') levels.set(id, levelOfName(value));
        }
      },
    });
  return (styleId) => levels.get(styleId) || levelOfId(styleId);
}

function levelOfName(name: string): number {
  const level = /^(?:heading|标题|標題|見出し|제목)\s*([1-9])$/i.exec(name)?.[1];
  if (level !== undefined) return Number(level);
  return /^title$/i.test(name) ? titleLevel : 0;
}

function levelOfId(styleId: string): number {
  const level = /^heading([1-9])$/i.exec(styleId)?.[1];
  if (level !== undefined) return Number(level);
  return /^title$/i.test(styleId) ? titleLevel : 0;
}

interface Drawing {
  archive: ZipArchive;
  part: string;
  out: TextBuilder;
  job: DecodeJob;
  pictures: MetafileTexts;
  /** Lines of text found in pictures, without duplicates; `writeDrawing` adds to them. */
  drawn: Set<string>;
}

/**
 * Writes the text of a diagram, a chart or an embedded file of another format to `out`. Text in a picture is added to
 * `drawn` instead.
 */
async function writeDrawing({ archive, part, out, job, pictures, drawn }: Drawing): Promise<void> {
  if (/(?:^|\/)media\//i.test(part)) for (const line of pictures.lines(part)) drawn.add(line);
  else if (/chart/i.test(part)) for (const text of chartTexts(archive, part)) out.line(text);
  else if (/diagram/i.test(part)) for (const text of diagramTexts(archive, part)) out.line(text);
  else if (/\.(?:x?html?|mht|rtf|txt)$/i.test(part)) {
    const bytes = archive.read(part);
    try {
      if (/\.rtf$/i.test(part)) writeRtf(bytes, out, job.limits);
      else if (/\.txt$/i.test(part)) out.paragraph((await decodeBytes(bytes)).text);
      else out.paragraph(await htmlToText((await decodeBytes(bytes)).text, job));
    } catch (error) {
      // Skip an unreadable embedded file, so that the rest of the document is still read.
      if (!(error instanceof FormatError) || error.word === 'too_large') throw error;
    }
  } else for (const line of pictures.lines(part)) drawn.add(line);
}
