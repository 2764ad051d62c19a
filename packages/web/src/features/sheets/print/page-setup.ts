import type { ToolInput } from '../sheet-session.ts';

type Given = ToolInput<'set_page_setup'>;

/** Page setup of a sub-sheet (tab), with the field names of the server tools `list_objects` and `set_page_setup`. */
export interface PageSetup {
  readonly orientation: 'portrait' | 'landscape';
  /** Excel's paper size number; see `papers`. */
  readonly paper: number;
  readonly scale?: number;
  /**
   * Number of pages across and down into which the table must fit, such as `1x0`. 0 means any number. If undefined,
   * `scale` applies.
   */
  readonly fit?: string;
  readonly margins: Required<NonNullable<Given['margins']>>;
  readonly header?: string;
  readonly footer?: string;
  readonly options: readonly NonNullable<Given['options']>[number][];
  readonly print_area?: string;
  readonly titles?: string;
}

interface Paper {
  readonly name: string;
  /** Width and height in millimeters, in portrait orientation. */
  readonly size: readonly [width: number, height: number];
}

/** Paper sizes by Excel's paper size number. */
export const papers: Readonly<Record<number, Paper>> = {
  1: { name: 'Letter', size: [215.9, 279.4] },
  5: { name: 'Legal', size: [215.9, 355.6] },
  8: { name: 'A3', size: [297, 420] },
  9: { name: 'A4', size: [210, 297] },
  11: { name: 'A5', size: [148, 210] },
};

const pixelsPerMm = 96 / 25.4;
const pixelsPerInch = 96;

/** Returns the page's width and height in millimeters. They are swapped in landscape orientation. */
export function pageSize({ paper, orientation }: PageSetup): readonly [width: number, height: number] {
  const [width, height] = (papers[paper] ?? papers[9]!).size;
  return orientation === 'landscape' ? [height, width] : [width, height];
}

/** Returns the size of the area within the margins, in CSS pixels. */
export function printableArea(setup: PageSetup): { width: number; height: number } {
  const [width, height] = pageSize(setup);
  const { left, right, top, bottom } = setup.margins;
  return {
    width: width * pixelsPerMm - (left + right) * pixelsPerInch,
    height: height * pixelsPerMm - (top + bottom) * pixelsPerInch,
  };
}

/** Returns the print scale of a table, where 1 is 100%. Fitting to pages never enlarges the table. */
export function printScale(setup: PageSetup, table: { width: number; height: number }): number {
  const [, across, down] = /^(\d+)x(\d+)$/.exec(setup.fit ?? '') ?? [];
  if (across === undefined) return (setup.scale ?? 100) / 100;
  const { width, height } = printableArea(setup);
  const byWidth = Number(across) === 0 ? 1 : (Number(across) * width) / table.width;
  const byHeight = Number(down) === 0 ? 1 : (Number(down) * height) / table.height;
  return Math.max(0.1, Math.min(1, byWidth, byHeight));
}

interface Named {
  readonly title: string;
  readonly sheet: string;
}

/** Returns the CSS `@page` rule with paper size, margins, header and footer. */
export function pageCssRule(setup: PageSetup, named: Named, now = new Date()): string {
  const [width, height] = pageSize(setup);
  const { left, right, top, bottom } = setup.margins;
  const boxes = [
    ...lineBoxes('top', setup.header ?? '', named, now),
    ...lineBoxes('bottom', setup.footer ?? '', named, now),
  ];
  return `@page { size: ${width}mm ${height}mm; margin: ${top}in ${right}in ${bottom}in ${left}in; ${boxes.join(' ')} }`;
}

const sides = { L: 'left', C: 'center', R: 'right' } as const;

/** Converts a header or footer from Excel's notation, such as `&LName&RPage &P of &N`, to CSS margin boxes. */
function lineBoxes(edge: 'top' | 'bottom', line: string, named: Named, now: Date): string[] {
  const parts = { L: '', C: '', R: '' };
  let side: keyof typeof parts = 'C';
  for (const [piece, code] of line.matchAll(/&([LCR])|&K[0-9A-Fa-f]{6}|&[A-KM-QS-Za-z]|&&|&"[^"]*"|&\d+|[^&]+/g)) {
    if (code !== undefined) side = code as keyof typeof parts;
    else parts[side] += contentOf(piece, named, now);
  }
  return (['L', 'C', 'R'] as const)
    .filter((one) => parts[one].trim() !== '')
    .map((one) => `@${edge}-${sides[one]} { content: ${parts[one].trim()}; font: 8pt sans-serif; color: black; }`);
}

function contentOf(piece: string, { title, sheet }: Named, now: Date): string {
  switch (piece) {
    case '&P':
      return ' counter(page)';
    case '&N':
      return ' counter(pages)';
    case '&A':
      return quoted(sheet);
    case '&F':
      return quoted(title);
    case '&D':
      return quoted(now.toLocaleDateString());
    case '&T':
      return quoted(now.toLocaleTimeString());
    case '&&':
      return quoted('&');
    default:
      // Other codes of Excel's page headers, such as those for font and size, are ignored.
      return piece.startsWith('&') ? '' : quoted(piece);
  }
}

function quoted(text: string): string {
  return ` "${text.replaceAll(/[\\"\n<]/g, (sign) => `\\${sign.codePointAt(0)!.toString(16)} `)}"`;
}
