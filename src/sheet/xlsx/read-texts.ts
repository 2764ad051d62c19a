import { damaged } from '../../formats/format-error.ts';
import { decodeXmlEntities } from '../../formats/xml.ts';
import type { RichText } from '../engine/state/objects.ts';
import type { Style } from '../engine/state/styles.ts';
import type { Strings } from '../engine/store/strings.ts';
import type { Theme } from './colors.ts';
import { readFont } from './read-styles.ts';
import { eachElement } from './read-xml.ts';
import { readCellText } from './xml-text.ts';

const LONGEST = 32_767;

/** Texts by their number in the file: each is put into the workbook once, cells then need only the number. */
export interface Texts {
  readonly ids: readonly number[];
  readonly rich: ReadonlyMap<number, RichText>;
}

export function readTexts(xml: string, strings: Strings, theme: Theme): Texts {
  const ids: number[] = [];
  const rich = new Map<number, RichText>();
  for (let at = xml.indexOf('<si'); at >= 0; at = xml.indexOf('<si', at)) {
    const open = xml.indexOf('>', at);
    const isEmpty = open > 0 && xml[open - 1] === '/';
    const close = isEmpty ? open : xml.indexOf('</si>', open);
    if (open < 0 || close < 0) throw damaged('its list of texts is cut off');
    const inner = isEmpty ? '' : xml.slice(open + 1, close);
    at = close + 1;
    const simple = /^<t(?: xml:space="preserve")?>([^<]*)<\/t>$/.exec(inner);
    if (simple) {
      ids.push(strings.intern(clean(simple[1] as string)));
      continue;
    }
    const pieces = readRuns(inner, theme);
    ids.push(strings.intern(pieces.map((piece) => piece.text).join('').slice(0, LONGEST)));
    if (pieces.some((piece) => piece.style)) rich.set(ids.length - 1, pieces);
  }
  return { ids, rich };
}

export function clean(raw: string): string {
  const text = raw.includes('&') ? decodeXmlEntities(raw) : raw;
  const plain = text.includes('_x') ? readCellText(text) : text;
  return (plain.includes('\r') ? plain.replaceAll('\r\n', '\n') : plain).slice(0, LONGEST);
}

/** Pieces of a text; how it is read aloud is no part of it. */
export function readRuns(xml: string, theme: Theme): RichText {
  const pieces: { text: string; style?: Record<string, string | number | boolean> }[] = [];
  let style: { -readonly [Key in keyof Style]?: Style[Key] } = {};
  eachElement(xml, 'text', {
    open(element) {
      if (element.name === 'r') style = {};
      else if (element.path.at(-1) === 'rPr') readFont(style, element, theme);
    },
    close(name, text, path) {
      if (name !== 't' || path.includes('rPh')) return;
      const own = { ...style } as Record<string, string | number | boolean>;
      pieces.push({ text: readCellText(text.replaceAll('\r\n', '\n')), ...(Object.keys(own).length > 0 ? { style: own } : {}) });
    },
  });
  return pieces;
}
