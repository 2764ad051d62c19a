import { partTitle } from '../containers/package-parts.ts';
import { decodeXml, localName, scanXml } from '../xml/sax.ts';
import type { ZipArchive } from '../zip/reader.ts';

/** Returns a chart's titles and its cached series and category names; numbers are omitted. */
export function chartTexts(archive: ZipArchive, part: string): Set<string> {
  const texts = new Set<string>();
  let strings = 0;
  let text: string | undefined;
  scanXml(decodeXml(archive.read(part)), partTitle(part), {
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

/** Returns the texts of a diagram, one for each of its points. */
export function diagramTexts(archive: ZipArchive, part: string): string[] {
  const texts: string[] = [];
  let text: string | undefined;
  let isText = false;
  scanXml(decodeXml(archive.read(part)), partTitle(part), {
    open(name) {
      const local = localName(name);
      if (local === 'p') text = '';
      else if (local === 't') isText = true;
      else if (local === 'br' && text !== undefined) text += ' ';
    },
    text(piece) {
      if (isText && text !== undefined) text += piece;
    },
    close(name) {
      const local = localName(name);
      if (local === 't') isText = false;
      else if (local === 'p' && text !== undefined) {
        if (text.trim() !== '') texts.push(text.trim());
        text = undefined;
      }
    },
  });
  return texts;
}
