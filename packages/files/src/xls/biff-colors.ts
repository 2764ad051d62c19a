import { indexedColors } from '../xlsx/colors.ts';

const firstOfPalette = 8;
const autoForeground = 64;
const autoBackground = 65;
const maxTint = 32_767;

/** Colors of a workbook: the palette, which a file may redefine, and extended colors that are not in the palette. */
export class BiffColors {
  readonly #palette = [...indexedColors];

  /** Replaces palette colors by those of a PALETTE record: four bytes per color, the last one unused. */
  setPalette(colors: Uint8Array): void {
    for (let at = 0; at + 4 <= colors.length; at += 4)
      this.#palette[firstOfPalette + at / 4] = hex(colors.subarray(at, at + 3));
  }

  /**
   * Returns an XML element with the palette color at `index`. An automatic color becomes an indexed color of xlsx; an
   * automatic font color needs no element, so the result is empty.
   */
  element(name: string, index: number): string {
    const color = index < autoForeground ? this.#palette[index] : undefined;
    if (color !== undefined) return `<${name} rgb="FF${color}"/>`;
    if (index === autoBackground) return `<${name} indexed="65"/>`;
    return name === 'color' ? '' : `<${name} indexed="64"/>`;
  }

  /** Returns an XML element with an extended color (kind, tint, value), or undefined if it is automatic. */
  extended(fields: Uint8Array): string | undefined {
    const view = new DataView(fields.buffer, fields.byteOffset, fields.byteLength);
    const kind = view.getUint16(0, true);
    const tint = view.getInt16(2, true);
    const tinted = tint === 0 ? '' : ` tint="${tint / maxTint}"`;
    if (kind === 2) return `<color rgb="FF${hex(fields.subarray(4, 7))}"${tinted}/>`;
    if (kind === 3) return `<color theme="${view.getUint32(4, true)}"${tinted}/>`;
    return kind === 1 ? this.element('color', view.getUint32(4, true)) || undefined : undefined;
  }
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join('');
}
