import type { StringPool, RichText, Style } from '@sheaf/engine/internal/document';
import { fontProperties } from './write-styles.ts';
import { escapeCellText, xmlDeclaration, mainNamespace, preserveSpace } from './xml-escape.ts';
import type { ZipWriter } from '../zip/writer.ts';

/** Prefix that marks the stored XML of a text whose cell displays its phonetic guide (furigana). */
export const phoneticsMark = '^';

/**
 * Builds the shared strings part of an exported XLSX file: the list of texts to which cells refer by index. Equal plain
 * texts share an entry.
 */
export class SharedStringsWriter {
  readonly #strings: StringPool;
  #indexes: Int32Array;
  readonly #items: (number | RichText)[] = [];
  readonly #words: readonly string[];
  readonly #byWords = new Map<number, number>();
  #used = 0;

  constructor(strings: StringPool, words: readonly string[]) {
    this.#strings = strings;
    this.#words = words;
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
    const source = text[0]?.source ?? 0;
    const known = source > 0 ? this.#byWords.get(source) : undefined;
    if (known !== undefined) return known;
    this.#items.push(text);
    if (source > 0) this.#byWords.set(source, this.#items.length - 1);
    return this.#items.length - 1;
  }

  /** Returns whether the imported cell with this text displays the phonetic guide. */
  showsPhonetics(text: RichText): boolean {
    return (this.#wordsOf(text) ?? '').startsWith(phoneticsMark);
  }

  #wordsOf(text: RichText): string | undefined {
    return this.#words[(text[0]?.source ?? 0) - 1];
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
      } else if (this.#wordsOf(item) !== undefined) {
        out += `<si>${this.#wordsOf(item)!.replace(/^\^/, '')}</si>`;
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
