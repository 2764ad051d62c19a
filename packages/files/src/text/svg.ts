import type { DecodeJob, DecodedFile } from '../decode-types.ts';
import { withoutDoctype } from '../xml/doctype.ts';
import { localName, scanXml } from '../xml/sax.ts';
import { decodeBytes } from './charset.ts';
import { TextBuilder } from './text-builder.ts';

/** Elements whose text is extracted, because it is displayed in the drawing or describes it. */
const shown = new Set(['text', 'title', 'desc', 'p', 'div', 'span', 'li', 'h1', 'h2', 'h3', 'td']);

/** Extracts the text of an SVG drawing. Scripts, styles and external references are ignored. */
export async function decodeSvg(bytes: Uint8Array, job: DecodeJob): Promise<DecodedFile> {
  const { text, charset } = await decodeBytes(bytes, job.charset);
  const out = new TextBuilder(job.limits.maxTextChars);
  let title: string | undefined;
  let depth = 0;
  let line = '';
  scanXml(withoutDoctype(text), 'The drawing', {
    open(name, attributes) {
      const local = localName(name);
      if (depth > 0 || shown.has(local)) depth++;
      // A tspan with its own position is drawn separately, so its text is separated by a space. Other tspan elements
      // only change the style.
      if (local === 'tspan' && ['x', 'y', 'dy'].some((key) => attributes().has(key))) line += ' ';
    },
    text(piece) {
      if (depth > 0) line += piece.replace(/\s+/g, ' ');
    },
    close(name) {
      if (depth > 0) depth--;
      if (depth > 0) return;
      if (localName(name) === 'title' && line.trim() !== '') title ??= line.trim();
      out.line(line);
      line = '';
    },
  });
  return out.done(title, { format: 'svg', charset });
}
