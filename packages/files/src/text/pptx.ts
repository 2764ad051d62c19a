import { damaged, FormatError } from '../format-error.ts';
import { coreProperties } from '../containers/office-container.ts';
import {
  declaredMainPart,
  eachElement,
  internalRelationships,
  partTitle,
  readRelationships,
} from '../containers/package-parts.ts';
import { chartTexts } from './chart-and-diagram-texts.ts';
import { MetafileTexts } from './metafile-texts.ts';
import { TextBuilder } from './text-builder.ts';
import type { DecodeJob, DecodedFile } from '../decode-types.ts';
import { localName, scanXml, decodeXml } from '../xml/sax.ts';
import type { ZipArchive } from '../zip/reader.ts';

const titlePlaceholders = new Set(['title', 'ctrTitle']);
// Placeholder types that are not part of a slide's own text: slide numbers, and dates, footers and headers, which
// repeat on every slide.
const furniture = new Set(['sldNum', 'dt', 'ftr', 'hdr']);

export function decodePptx(archive: ZipArchive, job: DecodeJob): DecodedFile {
  const presentation = mainPart(archive);
  const slides = slideParts(archive, presentation);
  if (slides.length > job.limits.maxPages)
    throw new FormatError(
      'too_large',
      `The presentation has ${slides.length} slides; the limit is ${job.limits.maxPages}.`,
    );
  const out = new TextBuilder(job.limits.maxTextChars);
  const repeated = new Set<string>();
  const repeat = (shape: Shape): void => {
    if (!shape.isNumber) for (const paragraph of shape.paragraphs) repeated.add(paragraph.trim());
  };
  const layouts = new Set<string>();
  const pictures = new MetafileTexts(archive);
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
      if (shape.furniture) repeat(shape);
      else if (!shape.title) for (const paragraph of shape.paragraphs) out.line(paragraph);
    for (const relation of internalRelationships(archive, slide)) {
      if (!archive.has(relation.target)) continue;
      if (relation.kind === 'slideLayout') layouts.add(relation.target);
      if (relation.kind === 'comments') for (const text of commentTexts(archive, relation.target)) out.line(text);
      if (/\/chart(?:Ex)?$/.test(relation.type))
        for (const text of chartTexts(archive, relation.target)) out.line(text);
      const wanted = /\/(?:notesSlide|diagramData)$/.test(relation.type);
      if (!wanted) continue;
      for (const shape of readShapes(archive, relation.target))
        if (!shape.furniture) for (const paragraph of shape.paragraphs) out.line(paragraph);
    }
    for (const picture of picturesOf(archive, slide)) for (const text of pictures.lines(picture)) out.line(text);
  }
  for (const part of withMasters(archive, layouts))
    for (const shape of readShapes(archive, part)) if (!shape.isPlaceholder) repeat(shape);
  for (const text of repeated) out.line(text);
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

/**
 * Returns the archive entries of a slide's pictures, including those in its legacy drawing (VML), which old PowerPoint
 * versions display for embedded objects.
 */
function picturesOf(archive: ZipArchive, slide: string): Set<string> {
  const own = internalRelationships(archive, slide).filter(({ target }) => archive.has(target));
  const drawn = own.flatMap(({ kind, target }) =>
    kind === 'vmlDrawing' ? internalRelationships(archive, target).filter((one) => archive.has(one.target)) : [],
  );
  return new Set([...own, ...drawn].filter(({ kind }) => kind === 'image').map(({ target }) => target));
}

/**
 * Returns slide layouts together with their slide masters, as names of archive entries. Shapes of both appear on every
 * slide that uses them.
 */
function withMasters(archive: ZipArchive, layouts: ReadonlySet<string>): Set<string> {
  const masters = [...layouts].flatMap((layout) =>
    internalRelationships(archive, layout).filter(({ kind, target }) => kind === 'slideMaster' && archive.has(target)),
  );
  return new Set([...layouts, ...masters.map(({ target }) => target)]);
}

/** Returns the texts in an archive entry with comments on a slide, in the legacy or the modern format of PowerPoint. */
function commentTexts(archive: ZipArchive, part: string): string[] {
  const texts: string[] = [];
  eachElement(decodeXml(archive.read(part)), partTitle(part), {
    close(name, text) {
      if ((name === 'text' || name === 't') && text.trim() !== '') texts.push(text.trim());
    },
  });
  return texts;
}

interface Shape {
  title: boolean;
  isPlaceholder: boolean;
  isNumber: boolean;
  furniture: boolean;
  paragraphs: string[];
}

function newShape(): Shape {
  return { title: false, isPlaceholder: false, isNumber: false, furniture: false, paragraphs: [] };
}

function readShapes(archive: ZipArchive, part: string): Shape[] {
  const shapes: Shape[] = [newShape()];
  let paragraph: string | undefined;
  let inText = false;
  let cells: string[] | undefined;
  scanXml(decodeXml(archive.read(part)), `The part "${part}"`, {
    open(name, attributes) {
      const local = localName(name);
      if (local === 'sp' || local === 'graphicFrame' || local === 'pt') shapes.push(newShape());
      else if (local === 'ph') {
        const type = attributes().get('type') ?? '';
        const shape = shapes.at(-1)!;
        shape.title = titlePlaceholders.has(type);
        shape.furniture = furniture.has(type);
        shape.isPlaceholder = true;
        shape.isNumber = type === 'sldNum';
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
