import { damaged, FormatError } from '../format-error.ts';
import { coreProperties } from '../containers/office-container.ts';
import { declaredMainPart, internalRelationships, partTitle, readRelationships } from '../containers/package-parts.ts';
import { TextBuilder } from './text-builder.ts';
import type { DecodeJob, Decoded } from '../decode-types.ts';
import { localName, scanXml, decodeXml } from '../xml/sax.ts';
import type { ZipArchive } from '../zip/reader.ts';

const titlePlaceholders = new Set(['title', 'ctrTitle']);
// Placeholder types whose text repeats on every slide: slide numbers, dates, footers and headers.
const furniture = new Set(['sldNum', 'dt', 'ftr', 'hdr']);

export function decodePptx(archive: ZipArchive, job: DecodeJob): Decoded {
  const presentation = mainPart(archive);
  const slides = slideParts(archive, presentation);
  if (slides.length > job.limits.maxPages)
    throw new FormatError(
      'too_large',
      `The presentation has ${slides.length} slides; the limit is ${job.limits.maxPages}.`,
    );
  const out = new TextBuilder(job.limits.maxTextChars);
  let firstTitle: string | undefined;
  for (const [index, slide] of slides.entries()) {
    out.page(`slide ${index + 1}`);
    const shapes = readShapes(archive, slide);
    const title = shapes.find((shape) => shape.title)?.paragraphs.join(' ');
    if (title !== undefined) {
      firstTitle ??= title;
      out.heading(1, title);
    }
    out.gap();
    for (const shape of shapes)
      if (!shape.title && !shape.furniture) for (const paragraph of shape.paragraphs) out.line(paragraph);
    for (const relation of internalRelationships(archive, slide)) {
      if (!archive.has(relation.target)) continue;
      if (/\/chart(?:Ex)?$/.test(relation.type))
        for (const text of chartTexts(archive, relation.target)) out.line(text);
      const wanted = /\/(?:notesSlide|diagramData)$/.test(relation.type);
      if (!wanted) continue;
      for (const shape of readShapes(archive, relation.target))
        if (!shape.furniture) for (const paragraph of shape.paragraphs) out.line(paragraph);
    }
  }
  const { title, author } = coreProperties(archive);
  const generic =
    title === undefined || /^(?:powerpoint presentation|powerpoint 演示文稿|ppt.*模板|slide \d+)$/i.test(title.trim());
  return out.done(generic ? firstTitle : title, {
    format: 'pptx',
    slides: slides.length,
    ...(author === undefined ? {} : { author }),
  });
}

function mainPart(archive: ZipArchive): string {
  const named = declaredMainPart(archive);
  const part = named !== undefined && archive.has(named) ? named : 'ppt/presentation.xml';
  if (!archive.has(part)) throw damaged('it is missing the main part of a presentation');
  return part;
}

function slideParts(archive: ZipArchive, presentation: string): string[] {
  const targets = readRelationships(archive, presentation, partTitle);
  const parts: string[] = [];
  const seen = new Set<string>();
  scanXml(decodeXml(archive.read(presentation)), partTitle(presentation), {
    open(name, attributes) {
      if (localName(name) !== 'sldId') return;
      for (const [key, value] of attributes()) {
        const target = localName(key) === 'id' && key !== 'id' ? targets.get(value)?.target : undefined;
        if (target === undefined || !archive.has(target) || seen.has(target)) continue;
        seen.add(target);
        parts.push(target);
      }
    },
  });
  return parts;
}

interface Shape {
  title: boolean;
  furniture: boolean;
  paragraphs: string[];
}

function readShapes(archive: ZipArchive, part: string): Shape[] {
  const shapes: Shape[] = [{ title: false, furniture: false, paragraphs: [] }];
  let paragraph: string | undefined;
  let inText = false;
  let cells: string[] | undefined;
  scanXml(decodeXml(archive.read(part)), `The part "${part}"`, {
    open(name, attributes) {
      const local = localName(name);
      if (local === 'sp' || local === 'graphicFrame' || local === 'pt')
        shapes.push({ title: false, furniture: false, paragraphs: [] });
      else if (local === 'ph') {
        const type = attributes().get('type') ?? '';
        const shape = shapes.at(-1)!;
        shape.title = titlePlaceholders.has(type);
        shape.furniture = furniture.has(type);
      } else if (local === 'tr') cells = [];
      else if (local === 'tc') cells?.push('');
      else if (local === 'p') paragraph = '';
      else if (local === 't') inText = true;
      else if (local === 'br' && paragraph !== undefined) paragraph += '\n';
      else if (local === 'tab' && paragraph !== undefined) paragraph += '\t';
    },
    close(name) {
      const local = localName(name);
      if (local === 't') inText = false;
      else if (local === 'p' && paragraph !== undefined) {
        if (cells !== undefined && cells.length > 0) cells[cells.length - 1] = `${cells.at(-1)!} ${paragraph}`.trim();
        else if (paragraph.trim() !== '') shapes.at(-1)!.paragraphs.push(paragraph);
        paragraph = undefined;
      } else if (local === 'tr' && cells !== undefined) {
        shapes.at(-1)!.paragraphs.push(cells.join('\t'));
        cells = undefined;
      }
    },
    text(text) {
      if (inText && paragraph !== undefined) paragraph += text;
    },
  });
  return shapes;
}

/** Returns a chart's titles and its cached series and category names; numbers are omitted. */
function chartTexts(archive: ZipArchive, part: string): Set<string> {
  const texts = new Set<string>();
  let strings = 0;
  let text: string | undefined;
  scanXml(decodeXml(archive.read(part)), `The part "${part}"`, {
    open(name) {
      const local = localName(name);
      if (local === 'strCache' || local === 'strLit' || local === 'lvl') strings++;
      else if (local === 'p' || (local === 'v' && strings > 0)) text = '';
    },
    text(piece) {
      if (text !== undefined) text += piece;
    },
    close(name) {
      const local = localName(name);
      if (local === 'strCache' || local === 'strLit' || local === 'lvl') strings--;
      else if ((local === 'p' || local === 'v') && text !== undefined) {
        if (text.trim() !== '') texts.add(text.trim());
        text = undefined;
      }
    },
  });
  return texts;
}
