import type { Anchor, Chart, FloatImage } from '@sheaf/engine/internal/document';
import type { RelationshipsWriter } from './relationships-writer.ts';
import { chartExNamespace, chartExRelation, layoutOf } from './write-chart-ex.ts';
import { xmlDeclaration, relationshipsNamespace, xmlEscape } from './xml-escape.ts';

export const emuPerPixel = 9525;

const spreadsheetDrawing = 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing';
const drawingMain = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const compatibility = 'http://schemas.openxmlformats.org/markup-compatibility/2006';
const chartSpace = 'http://schemas.openxmlformats.org/drawingml/2006/chart';

export interface DrawingItem {
  readonly item:
    | { readonly kind: 'chart'; readonly chart: Chart }
    | { readonly kind: 'image'; readonly image: FloatImage };
  /** Part name of the chart or image to which the drawing refers. */
  readonly target: string;
  /** Part name of the same chart in the chartex format; programs that cannot read chartex show `target`. */
  readonly better?: string;
}

/** Returns the XML of a drawing; `others` is the XML of passed-through objects. */
export function drawingXml(
  items: readonly DrawingItem[],
  others: readonly string[],
  relations: RelationshipsWriter,
): string {
  const anchors = items.map(({ item, target, better }, index) => {
    const id = index + 2;
    if (item.kind === 'chart') {
      const { chart } = item;
      const usual = frame(chart, id, 'c', chartSpace, relations.add('chart', target));
      const newer = better === undefined ? undefined : layoutOf(chart);
      if (!newer || better === undefined) return anchored(chart.anchor, usual);
      const rel = relations.addTyped(chartExRelation, better, false);
      return anchored(
        chart.anchor,
        `<mc:AlternateContent xmlns:mc="${compatibility}"><mc:Choice xmlns:${newer.namespace}="${newer.schema}" Requires="${newer.namespace}">` +
          `${frame(chart, id, 'cx', chartExNamespace, rel)}</mc:Choice><mc:Fallback>${usual}</mc:Fallback></mc:AlternateContent>`,
      );
    }
    const rel = relations.add('image', target);
    const { anchor, name } = item.image;
    const picture =
      `<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="${id}" name="${xmlEscape(name)}"/><xdr:cNvPicPr>` +
      '<a:picLocks noChangeAspect="1"/></xdr:cNvPicPr></xdr:nvPicPr><xdr:blipFill>' +
      `<a:blip r:embed="${rel}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:xfrm>` +
      `<a:off x="0" y="0"/><a:ext cx="${anchor.width * emuPerPixel}" cy="${anchor.height * emuPerPixel}"/>` +
      '</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic>';
    return anchored(anchor, picture);
  });
  return (
    `${xmlDeclaration}<xdr:wsDr xmlns:xdr="${spreadsheetDrawing}" xmlns:a="${drawingMain}" ` +
    `xmlns:r="${relationshipsNamespace}">${anchors.join('')}${others.join('')}</xdr:wsDr>`
  );
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
  const { row, col, offsetX, offsetY, width, height } = anchor;
  return (
    `<xdr:oneCellAnchor><xdr:from><xdr:col>${col}</xdr:col><xdr:colOff>` +
    `${offsetX * emuPerPixel}</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>` +
    `${offsetY * emuPerPixel}</xdr:rowOff></xdr:from>` +
    `<xdr:ext cx="${width * emuPerPixel}" cy="${height * emuPerPixel}"/>${inner}<xdr:clientData/>` +
    '</xdr:oneCellAnchor>'
  );
}
