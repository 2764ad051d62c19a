import { integer, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { z } from 'zod';
import type { PageSetup, SheetDocument, SubSheet } from '@sheaf/engine/internal/document';

const margin = (what: string) => z.number().min(0).max(20).meta({ description: what }).optional();

export const pageOptions = ['gridlines', 'headings', 'center_across', 'center_down'] as const;

export const pageSetupFields = {
  orientation: oneOf('Which way up.', ['portrait', 'landscape']).optional(),
  paper: integer('Number in Excel: 1 Letter, 9 A4.', { min: 0, max: 32_767 }).optional(),
  scale: integer('Percent.', { min: 10, max: 400 }).optional(),
  fit: text('Pages across and down instead of scale, e.g. 1x0; 0 is any.', { max: 64 }).optional(),
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
  options: list('What is printed, and where.', oneOf('An option.', pageOptions), { max: 4 }).optional(),
  print_area: text('E.g. A1:D99; empty for all.', { max: 255 }).optional(),
  titles: text('Repeated columns and rows, e.g. A:A,1:2; empty for none.', { max: 64 }).optional(),
};

export const printAreaName = '_xlnm.Print_Area';
export const printTitlesName = '_xlnm.Print_Titles';

/** Returns the XML of the part `kind` of the page setup, as it was in the imported file; empty if there is none. */
function readImportedXml(document: SheetDocument, sub: SubSheet, kind: string): string {
  const one = sub.carried.find((other) => other.kind === kind);
  return (one && document.kept?.texts[one.text]?.xml) ?? '';
}

function attribute(xml: string, name: string): string | undefined {
  return new RegExp(`^<[^>]*? ${name}="([^"]*)"`).exec(xml)?.[1];
}

const isOn = (value: string | undefined): boolean => value === '1' || value === 'true';

/**
 * Returns the complete page setup. Values set through the API override those of the imported file; missing values get
 * defaults.
 */
function resolvePageSetup(document: SheetDocument, sub: SubSheet): Required<PageSetup> {
  const page = sub.setup.page ?? {};
  const setup = readImportedXml(document, sub, 'pageSetup');
  const edges = readImportedXml(document, sub, 'pageMargins');
  const options = readImportedXml(document, sub, 'printOptions');
  const lines = readImportedXml(document, sub, 'headerFooter');
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

/** Returns the page setup in the form that set_page_setup accepts. */
export function describePageSetup(document: SheetDocument, sub: SubSheet): Record<string, unknown> {
  const page = resolvePageSetup(document, sub);
  const names = document.names().filter(({ sheet }) => sheet === sub.id);
  const area = names.find(({ name }) => name.toUpperCase() === printAreaName.toUpperCase());
  const titles = names.find(({ name }) => name.toUpperCase() === printTitlesName.toUpperCase());
  const ranges = (formula: string | undefined): string =>
    (formula ?? '')
      .replace(/^=\(?|\)$/g, '')
      .split(',')
      .map((one) => one.slice(one.lastIndexOf('!') + 1).replaceAll('$', ''))
      .join(',');
  const printed = ranges(area?.formula);
  const repeated = ranges(titles?.formula);
  const has = {
    gridlines: page.gridlines,
    headings: page.headings,
    center_across: page.centerAcross,
    center_down: page.centerDown,
  };
  return {
    orientation: page.orientation,
    paper: page.paper,
    ...(page.fit ? { fit: `${page.fitWidth}x${page.fitHeight}` } : { scale: page.scale }),
    margins: page.margins,
    ...(page.header === '' ? {} : { header: page.header }),
    ...(page.footer === '' ? {} : { footer: page.footer }),
    options: pageOptions.filter((one) => has[one]),
    ...(printed === '' ? {} : { print_area: printed }),
    ...(repeated === '' ? {} : { titles: repeated }),
  };
}
