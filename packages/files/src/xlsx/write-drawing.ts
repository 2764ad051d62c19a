import type { Anchor, Chart, FloatImage, KeptFrame } from '@sheaf/engine/internal/document';
import type { RelationshipsWriter } from './relationships-writer.ts';
import type { ChartParts } from './write-drawing-part.ts';
import { chartExNamespace, chartExRelation, layoutOf } from './write-chart-ex.ts';
import { xmlDeclaration, relationshipsNamespace, xmlEscape } from './xml-escape.ts';

export const emuPerPixel = 9525;

const spreadsheetDrawing = 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing';
const drawingMain = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const compatibility = 'http://schemas.openxmlformats.org/markup-compatibility/2006';
const chartSpace = 'http://schemas.openxmlformats.org/drawingml/2006/chart';

/** Returns the XML of a drawing that contains the given anchors (objects with their positions). */
export function drawingXml(anchors: readonly string[]): string {
  return (
    `${xmlDeclaration}<xdr:wsDr xmlns:xdr="${spreadsheetDrawing}" xmlns:a="${drawingMain}" ` +
    `xmlns:r="${relationshipsNamespace}">${anchors.join('')}</xdr:wsDr>`
  );
}

/** Returns the XML of a chart's position and frame in the drawing, for a chart without a reusable imported element. */
export function chartAnchor(chart: Chart, id: number, parts: ChartParts, relations: RelationshipsWriter): string {
  const usual = frame(chart, id, 'c', chartSpace, relations.add('chart', parts.usual ?? ''));
  const newer = parts.newer === undefined ? undefined : layoutOf(chart);
  if (!newer || parts.newer === undefined) return anchored(chart.anchor, usual);
  const rel = relations.addTyped(chartExRelation, parts.newer, false);
  return anchored(
    chart.anchor,
    `<mc:AlternateContent xmlns:mc="${compatibility}"><mc:Choice xmlns:${newer.namespace}="${newer.schema}" Requires="${newer.namespace}">` +
      `${frame(chart, id, 'cx', chartExNamespace, rel)}</mc:Choice><mc:Fallback>${usual}</mc:Fallback></mc:AlternateContent>`,
  );
}

/** Returns the XML of an image and its position in the drawing, for an image without a reusable imported element. */
export function imageAnchor({ anchor, name }: FloatImage, id: number, relation: string): string {
  return anchored(
    anchor,
    `<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="${id}" name="${xmlEscape(name)}"/><xdr:cNvPicPr>` +
      '<a:picLocks noChangeAspect="1"/></xdr:cNvPicPr></xdr:nvPicPr><xdr:blipFill>' +
      `<a:blip r:embed="${relation}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:xfrm>` +
      `<a:off x="0" y="0"/><a:ext cx="${anchor.width * emuPerPixel}" cy="${anchor.height * emuPerPixel}"/>` +
      '</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic>',
  );
}

/**
 * Returns the imported anchor element of an object. If the object was moved or resized after the import, the position
 * is replaced; the object inside is unchanged.
 */
export function anchorXml(imported: string, { read, points }: KeptFrame, anchor: Anchor): string {
  const [row = read.row, col = read.col] = points?.[0] ?? [];
  const isUnmoved =
    anchor.row === row &&
    anchor.col === col &&
    anchor.offsetX === read.offsetX &&
    anchor.offsetY === read.offsetY &&
    anchor.width === read.width &&
    anchor.height === read.height;
  if (isUnmoved) return imported;
  const [start = '', prefix = '', tag = '', attributes = ''] =
    /^<((?:\w+:)?)(twoCellAnchor|oneCellAnchor|absoluteAnchor)([^>]*)>/.exec(imported) ?? [];
  const inside = imported
    .slice(start.length, imported.lastIndexOf('</'))
    .replace(new RegExp(`^(?:\\s*<${prefix}(from|to|ext|pos)\\b(?:[^>]*/>|[^>]*>[^]*?</${prefix}\\1>))+`), '');
  return tag === ''
    ? imported
    : `<${prefix}oneCellAnchor${attributes.replace(/ editAs="[^"]*"/, '')}>${cornerXml(anchor, prefix)}${inside}</${prefix}oneCellAnchor>`;
}

function frame(chart: Chart, id: number, prefix: string, namespace: string, rel: string): string {
  return (
    '<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr>' +
    `<xdr:cNvPr id="${id}" name="${xmlEscape(chart.id)}"/><xdr:cNvGraphicFramePr/>` +
    '</xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic>' +
    `<a:graphicData uri="${namespace}"><${prefix}:chart xmlns:${prefix}="${namespace}" r:id="${rel}"/></a:graphicData>` +
    '</a:graphic></xdr:graphicFrame>'
  );
}

function anchored(anchor: Anchor, inner: string): string {
  return `<xdr:oneCellAnchor>${cornerXml(anchor, 'xdr:')}${inner}<xdr:clientData/></xdr:oneCellAnchor>`;
}

/** Returns the XML of an object's top left corner and size. */
function cornerXml({ row, col, offsetX, offsetY, width, height }: Anchor, prefix: string): string {
  const element = (tag: string, value: number): string => `<${prefix}${tag}>${value}</${prefix}${tag}>`;
  return (
    `<${prefix}from>${element('col', col)}${element('colOff', offsetX * emuPerPixel)}${element('row', row)}` +
    `${element('rowOff', offsetY * emuPerPixel)}</${prefix}from>` +
    `<${prefix}ext cx="${width * emuPerPixel}" cy="${height * emuPerPixel}"/>`
  );
}
