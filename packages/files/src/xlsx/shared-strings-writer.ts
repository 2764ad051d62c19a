import type { Strings, RichText, Style } from '@sheaf/engine/internal/document';
import { fontProperties } from './write-styles.ts';
import { escapeCellText, xmlDeclaration, mainNamespace, preserveSpace } from './xml-escape.ts';
import type { ZipWriter } from '../zip/writer.ts';

/** Builds the shared strings table of an exported file; each string is written once. */
export class SharedStringsWriter {
  readonly #strings: Strings;
  #indexes: Int32Array;
  readonly #items: (number | RichText)[] = [];
  #used = 0;

  constructor(strings: Strings) {
    this.#strings = strings;
    this.#indexes = new Int32Array(strings.highest + 2);
  }

  indexOf(id: number): number {
    this.#used++;
    let place = this.#indexes[id] as number;
    if (place === 0) {
      this.#items.push(id);
      place = this.#items.length;
      this.#indexes[id] = place;
    }
    return place - 1;
  }

  indexOfRich(text: RichText): number {
    this.#used++;
    this.#items.push(text);
    return this.#items.length - 1;
  }

  write(zip: ZipWriter, name: string): void {
    zip.begin(name);
    zip.push(
      `${xmlDeclaration}<sst xmlns="${mainNamespace}" count="${this.#used}" uniqueCount="${this.#items.length}">`,
    );
    let out = '';
    for (const item of this.#items) {
      if (typeof item === 'number') {
        const text = this.#strings.get(item);
        out += `<si><t${preserveSpace(text)}>${escapeCellText(text)}</t></si>`;
      } else {
        const runs = item.map(({ text, style }) => {
          const look = style ? `<rPr>${fontProperties(style as Style, 'rFont')}</rPr>` : '';
          return `<r>${look}<t xml:space="preserve">${escapeCellText(text)}</t></r>`;
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
