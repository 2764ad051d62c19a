import { partTitle } from '../containers/package-parts.ts';
import { decodeXml, localName, scanXml } from '../xml/sax.ts';
import type { ZipArchive } from '../zip/reader.ts';

/**
 * Returns the titles of a chart in an Office file and its stored series and category names, without numbers. For a
 * title without text, the text that Office displays is added ("Chart Title" or "Axis Title"). A chart with one series
 * gets no "Chart Title", because Office displays the name of the series.
 */
export function chartTexts(archive: ZipArchive, part: string): Set<string> {
  const texts = new Set<string>();
  let strings = 0;
  let series = 0;
  let text: string | undefined;
  const path: string[] = [];
  let isTitled = true;
  let hasDefaultTitle = false;
  scanXml(decodeXml(archive.read(part)), partTitle(part), {
    open(name) {
      const local = localName(name);
      if (local === 'ser') series++;
      else if (local === 'title') isTitled = false;
      else if (local === 'tx' && path.at(-1) === 'title') isTitled = true;
      path.push(local);
      if (local === 'strCache' || local === 'strLit' || local === 'lvl') strings++;
      else if (local === 'p' || (local === 'v' && strings > 0)) text = '';
    },
    text(piece) {
      if (text !== undefined) text += piece;
    },
    close(name) {
      const local = localName(name);
      path.pop();
      if (local === 'title' && !isTitled) {
        if (path.at(-1) === 'chart') hasDefaultTitle = true;
        else texts.add('Axis Title');
      }
      if (local === 'strCache' || local === 'strLit' || local === 'lvl') strings--;
      else if ((local === 'p' || local === 'v') && text !== undefined) {
        if (text.trim() !== '') texts.add(text.trim());
        text = undefined;
      }
    },
  });
  if (hasDefaultTitle && series !== 1) texts.add('Chart Title');
  return texts;
}

/** Returns the text of each node of a SmartArt diagram. */
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
