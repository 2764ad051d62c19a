import type { PageSetup, SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import type { PassthroughWriter } from './passthrough/passthrough-writer.ts';
import type { RelationshipsWriter } from './relationships-writer.ts';
import { xmlEscape } from './xml-escape.ts';

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Returns the XML of the print settings: those of the imported file, overridden by changes made in the document. */
export function pageSetupXml(
  document: SheetDocument,
  sub: SubSheet,
  kept: PassthroughWriter,
  relations: RelationshipsWriter,
): string {
  const page: PageSetup = sub.setup.page ?? {};
  const of = (kind: string): string => kept.of(sub, kind, relations)[0] ?? '';
  const margins = of('pageMargins');
  const usual = '<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/>';
  const needsMargins = page.margins !== undefined || !document.kept;
  return (
    withAttributes(of('printOptions'), 'printOptions', {
      horizontalCentered: page.centerAcross,
      verticalCentered: page.centerDown,
      headings: page.headings,
      gridLines: page.gridlines,
    }) +
    withAttributes(margins || (needsMargins ? usual : ''), 'pageMargins', page.margins ?? {}) +
    withAttributes(of('pageSetup'), 'pageSetup', {
      paperSize: page.paper,
      scale: page.scale,
      fitToWidth: page.fitWidth,
      fitToHeight: page.fitHeight,
      orientation: page.orientation,
    }) +
    headerFooterXml(of('headerFooter'), page)
  );
}

/**
 * Sets attributes on an XML element; if `xml` is empty, creates the element. Returns `xml` unchanged if no attribute
 * has a value.
 */
function withAttributes(xml: string, tag: string, attributes: Attributes): string {
  const set = Object.entries(attributes).filter(([, value]) => value !== undefined);
  if (set.length === 0) return xml;
  const [, told = '', rest = '/>'] = new RegExp(`^<${tag}([^>]*?)(/>|>.*)$`, 's').exec(xml) ?? [];
  const kept = set.reduce((text, [name]) => text.replace(new RegExp(` ${name}="[^"]*"`), ''), told);
  const added = set.map(([name, value]) => ` ${name}="${typeof value === 'boolean' ? Number(value) : value}"`);
  return `<${tag}${kept}${added.join('')}${rest}`;
}

function headerFooterXml(xml: string, { header, footer }: PageSetup): string {
  if (header === undefined && footer === undefined) return xml;
  const [, attributes = '', inside = ''] = /^<headerFooter([^>]*?)(?:\/>|>(.*)<\/headerFooter>)$/s.exec(xml) ?? [];
  const line = (tag: string, text: string | undefined): string => {
    const told = new RegExp(`<${tag}[^>]*>[^<]*</${tag}>`).exec(inside)?.[0] ?? '';
    return text === undefined ? told : text === '' ? '' : `<${tag}>${xmlEscape(text)}</${tag}>`;
  };
  const rest = inside.replaceAll(/<(oddHeader|oddFooter)[^>]*>[^<]*<\/\1>/g, '');
  return `<headerFooter${attributes}>${line('oddHeader', header)}${line('oddFooter', footer)}${rest}</headerFooter>`;
}

/**
 * Returns the content of the sheet properties element with the print setting "fit to page" set or removed. Returns it
 * unchanged if `fit` is undefined.
 */
export function withFitToPage(properties: string, fit: boolean | undefined): string {
  if (fit === undefined) return properties;
  const told = /<pageSetUpPr([^>]*)\/>/.exec(properties);
  const attributes = (told?.[1] ?? '').replace(/ fitToPage="[^"]*"/, '') + (fit ? ' fitToPage="1"' : '');
  const rest = told ? properties.replace(told[0], '') : properties;
  return attributes === '' ? rest : `${rest}<pageSetUpPr${attributes}/>`;
}
