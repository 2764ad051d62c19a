import type { PassthroughElement, SubSheet } from '@sheaf/engine/internal/document';
import { imageExtensions, officeTypes, type ExportContext } from './export-context.ts';
import { RelationshipsWriter } from './relationships-writer.ts';
import { chartXml } from './write-chart.ts';
import { chartExNamespace, chartExRelation, chartExType, chartExXml, layoutOf } from './write-chart-ex.ts';
import { anchorXml, chartAnchor, drawingXml, imageAnchor } from './write-drawing.ts';
import { relationshipsNamespace, xmlDeclaration } from './xml-escape.ts';

/**
 * Writes the drawing part of a sub-sheet. Returns its relationship id, or undefined if the sub-sheet has no drawing
 * objects.
 */
export function writeDrawings(
  making: ExportContext,
  sub: SubSheet,
  relations: RelationshipsWriter,
): string | undefined {
  const own = new RelationshipsWriter();
  // Imported objects keep their stacking order, in which later ones cover earlier ones. New objects come last.
  const items: { readonly order: number; readonly xml: string }[] = [];
  const add = (kept: PassthroughElement | undefined, xml: string): void =>
    void items.push({ order: kept?.text ?? Number.MAX_SAFE_INTEGER, xml });
  sub.images.forEach((image, index) => {
    const target = writeImage(making, image.blob, image.mime);
    if (target === undefined) return;
    const relation = own.add('image', target);
    const { frame } = image;
    const kept = frame && making.kept.fill(frame, own, () => relation);
    add(frame, kept ? anchorXml(kept, frame, image.anchor) : imageAnchor(image, index + 2, relation));
  });
  sub.charts.forEach((chart, index) => {
    const isNewer = layoutOf(chart) !== undefined;
    // Reuse the imported drawing element (`frame`) only if it has the format that the chart needs (plain chart or
    // chartex). The format differs if the chart's type changed after the import.
    const isFitting = chart.frame && making.kept.text(chart.frame)?.xml.includes(chartExNamespace) === isNewer;
    const frame = isFitting ? chart.frame : undefined;
    const part = writeChartParts(making, sub, chart, frame !== undefined);
    const type = isNewer && frame ? chartExRelation : `${relationshipsNamespace}/chart`;
    const kept = frame && making.kept.fill(frame, own, () => own.addTyped(type, part.newer ?? part.usual!, false));
    const id = sub.images.length + index + 2;
    add(frame, kept ? anchorXml(kept, frame, chart.anchor) : chartAnchor(chart, id, part, own));
  });
  for (const one of sub.carried) if (one.kind === 'drawing') add(one, making.kept.fill(one, own));
  if (items.length === 0) return undefined;
  const part = `xl/drawings/drawing${++making.drawings}.xml`;
  items.sort((a, b) => a.order - b.order);
  making.zip.add(part, drawingXml(items.map(({ xml }) => xml)));
  making.kept.relationsOf(part, own);
  making.contents.add(part, `${officeTypes}.drawing+xml`);
  return relations.add('drawing', `../${part.slice(3)}`);
}

/**
 * Names of a chart's parts: `usual` in the common format, and `newer` in the chartex format that newer chart types
 * need.
 */
export interface ChartParts {
  readonly usual?: string;
  readonly newer?: string;
}

/**
 * Writes the parts of a chart. A chart of a newer type also gets a fallback for older programs: a chart of an older
 * type. No fallback is written if the imported drawing element already contains one (`hasFallback`).
 */
function writeChartParts(
  making: ExportContext,
  sub: SubSheet,
  chart: SubSheet['charts'][number],
  hasFallback: boolean,
): ChartParts {
  const { zip, contents, document } = making;
  const number = ++making.charts;
  const isNewer = layoutOf(chart) !== undefined;
  const write = (part: string, type: string, xml: () => string, kept: PassthroughElement | undefined): string => {
    const own = new RelationshipsWriter();
    zip.add(part, kept ? xmlDeclaration + making.kept.fill(kept, own) : xml());
    contents.add(part, type);
    making.kept.relationsOf(part, own);
    return `../${part.slice(3)}`;
  };
  const usualType = `${officeTypes}.drawingml.chart+xml`;
  const usual = (): string =>
    write(
      `xl/charts/chart${number}.xml`,
      usualType,
      () => chartXml(document, sub, chart),
      isNewer ? undefined : chart.kept,
    );
  const newer = (): string =>
    write(`xl/charts/chartEx${number}.xml`, chartExType, () => chartExXml(document, sub, chart), chart.kept);
  return {
    ...(isNewer && hasFallback ? {} : { usual: usual() }),
    ...(isNewer ? { newer: newer() } : {}),
  };
}

function writeImage(making: ExportContext, key: string, mime: string): string | undefined {
  const known = making.stored.get(key);
  if (known) return known;
  const bytes = making.images.get(key);
  if (!bytes) return undefined;
  const part = `media/image${making.stored.size + 1}.${imageExtensions[mime] ?? 'png'}`;
  making.zip.store(`xl/${part}`, bytes);
  making.stored.set(key, `../${part}`);
  return `../${part}`;
}
