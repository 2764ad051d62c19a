import { cellName, rectName } from '@sheaf/engine';
import type { BiffColors } from './biff-colors.ts';
import type { BiffReader } from './biff-reader.ts';

const records = {
  window: 0x023e,
  zoom: 0x00a0,
  pane: 0x0041,
  selection: 0x001d,
  sheetOptions: 0x0081,
  extendedOptions: 0x0862,
  filter: 0x009d,
} as const;

const paneNames = ['bottomRight', 'topRight', 'bottomLeft', 'topLeft'] as const;

/** Collects the view settings of an .xls worksheet as the XML of xlsx. */
export class BiffView {
  readonly #colors: BiffColors;
  readonly #isActive: boolean;
  #flags = 0xb6;
  #top = 'A1';
  #zoom = '';
  #pane: { x: number; y: number; top: string; active: number } | undefined;
  #selections = '';
  #options = 0x04c1;
  #tabColor = '';
  /** True if the sheet has a filter. The filter's range is stored in a hidden defined name. */
  hasFilter = false;

  constructor(colors: BiffColors, isActive: boolean) {
    this.#colors = colors;
    this.#isActive = isActive;
  }

  /** Reads the current record if it holds a view setting, such as the zoom; returns false for other records. */
  record(reader: BiffReader): boolean {
    switch (reader.type) {
      case records.window: {
        this.#flags = reader.u16();
        this.#top = cellName(reader.u16(), reader.u16());
        return true;
      }
      case records.zoom: {
        const percent = Math.round((reader.u16() * 100) / Math.max(1, reader.u16()));
        if (percent >= 10 && percent <= 400 && percent !== 100) this.#zoom = ` zoomScale="${percent}"`;
        return true;
      }
      case records.pane: {
        const [x, y] = [reader.u16(), reader.u16()];
        const top = cellName(reader.u16(), reader.u16());
        this.#pane = { x, y, top, active: reader.left > 0 ? reader.u8() : 3 };
        return true;
      }
      case records.selection:
        this.#selection(reader);
        return true;
      case records.sheetOptions:
        this.#options = reader.u16();
        return true;
      case records.extendedOptions: {
        reader.skip(16);
        const color = reader.u32() & 0x7f;
        if (color < 64) this.#tabColor = this.#colors.element('tabColor', color);
        return true;
      }
      case records.filter:
        this.hasFilter = true;
        return true;
      default:
        return false;
    }
  }

  #selection(reader: BiffReader): void {
    const pane = paneNames[reader.u8()];
    const cell = cellName(reader.u16(), reader.u16());
    reader.skip(2);
    const ranges: string[] = [];
    for (let count = reader.u16(); count > 0 && reader.left >= 6; count--) {
      const [top, bottom, left, right] = [reader.u16(), reader.u16(), reader.u8(), reader.u8()];
      ranges.push(rectName({ top, bottom, left, right }));
    }
    if (pane !== undefined && ranges.length > 0)
      this.#selections += `<selection${pane === 'topLeft' ? '' : ` pane="${pane}"`} activeCell="${cell}" sqref="${ranges.join(' ')}"/>`;
  }

  xml(): string {
    const has = (bit: number): boolean => (this.#flags & (1 << bit)) !== 0;
    const pane = this.#pane;
    const state = has(3) ? (has(8) ? 'frozen' : 'frozenSplit') : 'split';
    const paneXml =
      pane === undefined || (pane.x === 0 && pane.y === 0)
        ? ''
        : `<pane${pane.x === 0 ? '' : ` xSplit="${pane.x}"`}${pane.y === 0 ? '' : ` ySplit="${pane.y}"`}` +
          ` topLeftCell="${pane.top}" activePane="${paneNames[pane.active] ?? 'topLeft'}" state="${state}"/>`;
    const attributes = [
      has(0) ? ' showFormulas="1"' : '',
      has(1) ? '' : ' showGridLines="0"',
      has(2) ? '' : ' showRowColHeaders="0"',
      has(4) ? '' : ' showZeros="0"',
      has(6) ? ' rightToLeft="1"' : '',
      this.#isActive ? ' tabSelected="1"' : '',
      has(11) ? ' view="pageBreakPreview"' : '',
      this.#top === 'A1' ? '' : ` topLeftCell="${this.#top}"`,
      this.#zoom,
    ].join('');
    const view = `<sheetView${attributes} workbookViewId="0">${paneXml}${this.#selections}</sheetView>`;
    return `${this.#sheetProperties()}<sheetViews>${view}</sheetViews>`;
  }

  #sheetProperties(): string {
    const below = (this.#options & 0x40) === 0 ? ' summaryBelow="0"' : '';
    const right = (this.#options & 0x80) === 0 ? ' summaryRight="0"' : '';
    const fit = (this.#options & 0x100) === 0 ? '' : '<pageSetUpPr fitToPage="1"/>';
    const outline = below + right === '' ? '' : `<outlinePr${below}${right}/>`;
    const inside = this.#tabColor + outline + fit;
    return inside === '' ? '' : `<sheetPr>${inside}</sheetPr>`;
  }
}
