import { flag, integer, oneOf, text } from '../../operation/fields.ts';
import { z } from 'zod';
import type { PageSetup, SheetDocument, SubSheet } from '../engine/document.ts';

/** How a sub-sheet is printed: what was set here, and else what the file it came from says. */

const margin = (what: string) => z.number().min(0).max(20).meta({ description: what }).optional();

export const pageFields = {
  orientation: oneOf('Default: portrait.', ['portrait', 'landscape']).optional(),
  paper: integer('Paper by its number in Excel: 1 Letter, 9 A4.', { min: 0, max: 118 }).optional(),
  scale: integer('Percent.', { min: 10, max: 400 }).optional(),
  fit_width: integer('Pages across instead of scale; 0 for any.', { min: 0, max: 999 }).optional(),
  fit_height: integer('Pages down instead of scale; 0 for any.', { min: 0, max: 999 }).optional(),
  margins: z
    .object({
      left: margin('Inches.'),
      right: margin('Inches.'),
      top: margin('Inches.'),
      bottom: margin('Inches.'),
      header: margin('Inches.'),
      footer: margin('Inches.'),
    })
    .meta({ 'x-listed': 'object', description: 'Inches: left, right, top, bottom, header, footer.' })
    .optional(),
  header: text('E.g. &L&A&RPage &P of &N.', { max: 255 }).optional(),
  footer: text('Likewise.', { max: 255 }).optional(),
  print_gridlines: flag('Whether gridlines are printed.').optional(),
  print_headings: flag('Whether row numbers and column letters are printed.').optional(),
  center_horizontally: flag('On the page.').optional(),
  center_vertically: flag('On the page.').optional(),
};

export const areaFields = {
  print_area: text('What is printed, e.g. A1:D99; empty for all.', { max: 255 }).optional(),
  title_rows: text('Repeated on each page, e.g. 1:2; empty for none.', { max: 32 }).optional(),
  title_cols: text('Likewise, e.g. A:A.', { max: 32 }).optional(),
};

export const areaName = '_xlnm.Print_Area';
export const titlesName = '_xlnm.Print_Titles';

/** The XML that the file has for a part of the page setup. */
function told(document: SheetDocument, sub: SubSheet, kind: string): string {
  const one = sub.carried.find((other) => other.kind === kind);
  return (one && document.kept?.texts[one.text]?.xml) ?? '';
}

function attribute(xml: string, name: string): string | undefined {
  return new RegExp(`^<[^>]*? ${name}="([^"]*)"`).exec(xml)?.[1];
}

const isOn = (value: string | undefined): boolean => value === '1' || value === 'true';

/** All that is known of it; what nobody says is what programs take for granted. */
export function pageOf(document: SheetDocument, sub: SubSheet): Required<PageSetup> {
  const page = sub.setup.page ?? {};
  const setup = told(document, sub, 'pageSetup');
  const edges = told(document, sub, 'pageMargins');
  const options = told(document, sub, 'printOptions');
  const lines = told(document, sub, 'headerFooter');
  const fits = /<pageSetUpPr[^>]* fitToPage="(?:1|true)"/.test(sub.setup.more?.['properties'] ?? '');
  const number = (xml: string, name: string, usual: number): number => Number(attribute(xml, name) ?? usual);
  const line = (tag: string): string => unescaped(new RegExp(`<${tag}[^>]*>([^<]*)</${tag}>`).exec(lines)?.[1] ?? '');
  const orientation = attribute(setup, 'orientation') === 'landscape' ? 'landscape' : 'portrait';
  const usual = { left: 0.7, right: 0.7, top: 0.75, bottom: 0.75, header: 0.3, footer: 0.3 };
  const margins = Object.fromEntries(
    Object.entries(usual).map(([edge, inches]) => [edge, number(edges, edge, inches)]),
  ) as typeof usual;
  const isFit = page.fit ?? fits;
  return {
    orientation,
    paper: number(setup, 'paperSize', 1),
    scale: number(setup, 'scale', 100),
    fitWidth: number(setup, 'fitToWidth', 1),
    fitHeight: number(setup, 'fitToHeight', 1),
    header: line('oddHeader'),
    footer: line('oddFooter'),
    gridlines: isOn(attribute(options, 'gridLines')),
    headings: isOn(attribute(options, 'headings')),
    centerAcross: isOn(attribute(options, 'horizontalCentered')),
    centerDown: isOn(attribute(options, 'verticalCentered')),
    ...page,
    fit: isFit,
    margins: { ...margins, ...page.margins },
  };
}

function unescaped(xml: string): string {
  const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return xml.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => characters[name] ?? '');
}

/** As the tool sets it. */
export function pageReply(document: SheetDocument, sub: SubSheet): Record<string, unknown> {
  const page = pageOf(document, sub);
  const names = document.names().filter(({ sheet }) => sheet === sub.id);
  const area = names.find(({ name }) => name.toUpperCase() === areaName.toUpperCase());
  const titles = names.find(({ name }) => name.toUpperCase() === titlesName.toUpperCase());
  const ranges = (formula: string | undefined): string[] =>
    (formula ?? '')
      .replace(/^=\(?|\)$/g, '')
      .split(',')
      .map((one) => one.slice(one.lastIndexOf('!') + 1).replaceAll('$', ''));
  const printed = ranges(area?.formula).filter(Boolean);
  const repeated = ranges(titles?.formula);
  const rows = repeated.find((one) => /^\d+:\d+$/.test(one));
  const cols = repeated.find((one) => /^[A-Z]+:[A-Z]+$/.test(one));
  return {
    orientation: page.orientation,
    paper: page.paper,
    ...(page.fit ? { fit_width: page.fitWidth, fit_height: page.fitHeight } : { scale: page.scale }),
    margins: page.margins,
    ...(page.header === '' ? {} : { header: page.header }),
    ...(page.footer === '' ? {} : { footer: page.footer }),
    print_gridlines: page.gridlines,
    print_headings: page.headings,
    center_horizontally: page.centerAcross,
    center_vertically: page.centerDown,
    ...(printed.length > 0 ? { print_area: printed.join(',') } : {}),
    ...(rows ? { title_rows: rows } : {}),
    ...(cols ? { title_cols: cols } : {}),
  };
}
