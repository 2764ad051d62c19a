import type { DecodeJob, Decoded } from '../decode-types.ts';
import { withoutDoctype } from '../xml/doctype.ts';
import { localName, scanXml } from '../xml/sax.ts';
import { decodeCharset } from './charset.ts';
import { TextBuilder } from './text-builder.ts';

/** Elements whose text a drawing shows or is described by. */
const shown = new Set(['text', 'title', 'desc', 'p', 'div', 'span', 'li', 'h1', 'h2', 'h3', 'td']);

/** Reads the texts of a drawing. Scripts, styles and links to other files are not looked at. */
export async function decodeSvg(bytes: Uint8Array, job: DecodeJob): Promise<Decoded> {
  const { text, charset } = await decodeCharset(bytes, job.charset);
  const out = new TextBuilder(job.limits.maxTextChars);
  let title: string | undefined;
  let depth = 0;
  let line = '';
  scanXml(withoutDoctype(text), 'The drawing', {
    open(name, attributes) {
      const local = localName(name);
      if (depth > 0 || shown.has(local)) depth++;
      // A span with a position of its own is a line, others only change the look.
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
