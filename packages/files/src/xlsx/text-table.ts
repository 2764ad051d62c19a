import type { Strings, RichText, Style } from '@sheaf/engine/internal/document';
import { fontProperties } from './write-styles.ts';
import { cellText, head, main, spaced } from './xml-text.ts';
import type { ZipWriter } from '../zip/writer.ts';

/** The shared strings table of an exported file. Each string of the workbook is looked up by id and written once. */
export class TextTable {
  readonly #strings: Strings;
  #places: Int32Array;
  readonly #items: (number | RichText)[] = [];
  #used = 0;

  constructor(strings: Strings) {
    this.#strings = strings;
    this.#places = new Int32Array(strings.highest + 2);
  }

  place(id: number): number {
    this.#used++;
    let place = this.#places[id] as number;
    if (place === 0) {
      this.#items.push(id);
      place = this.#items.length;
      this.#places[id] = place;
    }
    return place - 1;
  }

  rich(text: RichText): number {
    this.#used++;
    this.#items.push(text);
    return this.#items.length - 1;
  }

  write(zip: ZipWriter, name: string): void {
    zip.begin(name);
    zip.push(`${head}<sst xmlns="${main}" count="${this.#used}" uniqueCount="${this.#items.length}">`);
    let out = '';
    for (const item of this.#items) {
      if (typeof item === 'number') {
        const text = this.#strings.get(item);
        out += `<si><t${spaced(text)}>${cellText(text)}</t></si>`;
      } else {
        const runs = item.map(({ text, style }) => {
          const look = style ? `<rPr>${fontProperties(style as Style, 'rFont')}</rPr>` : '';
          return `<r>${look}<t xml:space="preserve">${cellText(text)}</t></r>`;
        });
        out += `<si>${runs.join('')}</si>`;
      }
      if (out.length > 65_536) {
        zip.push(out);
        out = '';
      }
    }
    zip.push(`${out}</sst>`);
    zip.end();
  }
}
