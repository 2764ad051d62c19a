import { xmlEscape } from '../xlsx/xml-escape.ts';
import type { BiffReader } from './biff-reader.ts';

const records = {
  header: 0x0014,
  footer: 0x0015,
  left: 0x0026,
  right: 0x0027,
  top: 0x0028,
  bottom: 0x0029,
  headings: 0x002a,
  gridLines: 0x002b,
  rowBreaks: 0x001b,
  colBreaks: 0x001a,
  centerAcross: 0x0083,
  centerDown: 0x0084,
  setup: 0x00a1,
} as const;

/** Collects the page setup of an .xls worksheet as the XML of xlsx. */
export class BiffPage {
  readonly #margins = { left: 0.7, right: 0.7, top: 0.75, bottom: 0.75, header: 0.3, footer: 0.3 };
  #hasMargins = false;
  #options = '';
  #setup = '';
  #header = '';
  #footer = '';
  readonly #breaks = { row: '', col: '' };

  /** Reads the current record if it holds a page setting, such as the header; returns false for other records. */
  record(reader: BiffReader): boolean {
    switch (reader.type) {
      case records.header:
        if (reader.left >= 3) this.#header = reader.text16();
        return true;
      case records.footer:
        if (reader.left >= 3) this.#footer = reader.text16();
        return true;
      case records.left:
      case records.right:
      case records.top:
      case records.bottom: {
        const side = (['left', 'right', 'top', 'bottom'] as const)[reader.type - records.left]!;
        this.#margins[side] = reader.f64();
        this.#hasMargins = true;
        return true;
      }
      case records.headings:
        this.#option(reader, 'headings');
        return true;
      case records.gridLines:
        this.#option(reader, 'gridLines');
        return true;
      case records.centerAcross:
        this.#option(reader, 'horizontalCentered');
        return true;
      case records.centerDown:
        this.#option(reader, 'verticalCentered');
        return true;
      case records.rowBreaks:
        this.#breaks.row = breaksXml(reader, 16_383);
        return true;
      case records.colBreaks:
        this.#breaks.col = breaksXml(reader, 1_048_575);
        return true;
      case records.setup:
        this.#pageSetup(reader);
        return true;
      default:
        return false;
    }
  }

  #option(reader: BiffReader, name: string): void {
    if (reader.u16() !== 0) this.#options += ` ${name}="1"`;
  }

  #pageSetup(reader: BiffReader): void {
    const [paper, scale, first, width, height, flags] = [
      reader.u16(),
      reader.u16(),
      reader.u16(),
      reader.u16(),
      reader.u16(),
      reader.u16(),
    ];
    reader.skip(4);
    this.#margins.header = reader.f64();
    this.#margins.footer = reader.f64();
    this.#hasMargins = true;
    const has = (bit: number): boolean => (flags & (1 << bit)) !== 0;
    // Bit 2 marks paper, scale and orientation as invalid, because the file was created without a printer.
    const isPrinter = !has(2);
    const attributes = [
      isPrinter ? ` paperSize="${paper}"` : '',
      isPrinter && scale >= 10 && scale <= 400 ? ` scale="${scale}"` : '',
      has(7) ? ` firstPageNumber="${first}" useFirstPageNumber="1"` : '',
      width === 1 ? '' : ` fitToWidth="${width}"`,
      height === 1 ? '' : ` fitToHeight="${height}"`,
      has(0) ? ' pageOrder="overThenDown"' : '',
      isPrinter && !has(6) ? ` orientation="${has(1) ? 'portrait' : 'landscape'}"` : '',
      has(3) ? ' blackAndWhite="1"' : '',
      has(4) ? ' draft="1"' : '',
    ].join('');
    this.#setup = `<pageSetup${attributes}/>`;
  }

  xml(): string {
    const margins = Object.entries(this.#margins).map(([side, inches]) => ` ${side}="${inches}"`);
    const text = (name: string, value: string): string =>
      value === '' ? '' : `<${name}>${xmlEscape(value)}</${name}>`;
    const texts = text('oddHeader', this.#header) + text('oddFooter', this.#footer);
    const breaks = (name: string, items: string): string => {
      const count = items.split('<brk').length - 1;
      return count === 0 ? '' : `<${name} count="${count}" manualBreakCount="${count}">${items}</${name}>`;
    };
    return [
      this.#options === '' ? '' : `<printOptions${this.#options}/>`,
      this.#hasMargins ? `<pageMargins${margins.join('')}/>` : '',
      this.#setup,
      texts === '' ? '' : `<headerFooter>${texts}</headerFooter>`,
      breaks('rowBreaks', this.#breaks.row),
      breaks('colBreaks', this.#breaks.col),
    ].join('');
  }
}

function breaksXml(reader: BiffReader, max: number): string {
  let xml = '';
  for (let count = reader.u16(); count > 0 && reader.left >= 6; count--) {
    xml += `<brk id="${reader.u16()}" max="${max}" man="1"/>`;
    reader.skip(4);
  }
  return xml;
}
