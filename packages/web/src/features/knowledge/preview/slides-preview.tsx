import type { ReactNode } from 'react';
import { attribute, childElement, childElements, type OfficePackage } from './office-package.ts';

const part = 'ppt/presentation.xml';
const maxSlides = 200;
/**
 * Lengths in Office Open XML files are given in English Metric Units (EMU), 12,700 per point. `defaultSlideSize` (in
 * EMU, 16:9) is used if a file specifies no slide size.
 */
const emuPerPoint = 12_700;
const defaultSlideSize = { width: 12_192_000, height: 6_858_000 };

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * Renders the slides of a presentation, with texts, tables and images at their positions. `nameOf` returns the label of
 * a slide for screen readers. Returns undefined if there are no slides.
 */
export function renderSlides(file: OfficePackage, nameOf: (number: number) => string): ReactNode | undefined {
  const presentation = file.xml(part)?.documentElement;
  const relations = file.relations(part);
  const slides = childElements(childElement(presentation, 'sldIdLst'), 'sldId')
    .slice(0, maxSlides)
    .flatMap((one) => relations.get(one.getAttribute('r:id') ?? '')?.target ?? []);
  if (slides.length === 0) return undefined;
  const size = childElement(presentation, 'sldSz');
  const width = Number(attribute(size, 'cx') ?? defaultSlideSize.width) || defaultSlideSize.width;
  const height = Number(attribute(size, 'cy') ?? defaultSlideSize.height) || defaultSlideSize.height;
  return slides.map((path, index) => (
    <section
      key={path}
      aria-label={nameOf(index + 1)}
      className={
        '@container relative w-full overflow-hidden rounded-xl border border-line bg-white text-[#22231f] ' +
        'shadow-float [contain-intrinsic-size:auto_24rem] [content-visibility:auto]'
      }
      style={{ aspectRatio: `${width} / ${height}` }}
    >
      <Slide file={file} path={path} width={width} height={height} />
    </section>
  ));
}

interface SlideProps {
  file: OfficePackage;
  path: string;
  width: number;
  height: number;
}

function Slide({ file, path, width, height }: SlideProps): ReactNode {
  const relations = file.relations(path);
  const tree = childElement(file.xml(path)?.documentElement, 'cSld', 'spTree');
  const layoutPath = [...relations.values()].find((one) => one.type === 'slideLayout')?.target;
  const layout =
    layoutPath === undefined ? undefined : childElement(file.xml(layoutPath)?.documentElement, 'cSld', 'spTree');
  const loose: ReactNode[] = [];
  const placed = [...(tree?.children ?? [])].map((shape, key) => {
    const kind = placeholderOf(shape);
    const isTitle = kind?.type === 'title' || kind?.type === 'ctrTitle';
    const box = boxOf(shape) ?? inherited(layout, kind) ?? (isTitle ? titleBox(width, height) : undefined);
    const place = box && {
      left: `${(box.left / width) * 100}%`,
      top: `${(box.top / height) * 100}%`,
      width: `${(box.width / width) * 100}%`,
      height: `${(box.height / height) * 100}%`,
    };
    if (shape.localName === 'pic') {
      const target = relations.get(attribute(childElement(shape, 'blipFill', 'blip'), 'embed') ?? '')?.target;
      const address = target === undefined ? undefined : file.picture(target);
      const alt = attribute(childElement(shape, 'nvPicPr', 'cNvPr'), 'descr') ?? '';
      return address === undefined || !place ? null : (
        <img key={key} src={address} alt={alt} className="absolute object-contain" style={place} />
      );
    }
    // Skip the date, footer and slide number, which repeat on every slide.
    if (kind && ['dt', 'ftr', 'sldNum'].includes(kind.type)) return null;
    const content =
      shape.localName === 'graphicFrame' ? (
        <SlideTable key={key} table={shape.getElementsByTagNameNS('*', 'tbl')[0]} width={width} />
      ) : (
        <Paragraphs key={key} body={childElement(shape, 'txBody')} width={width} points={isTitle ? 36 : 20} />
      );
    if (!place) {
      loose.push(content);
      return null;
    }
    return (
      <div
        key={key}
        className={`absolute overflow-hidden ${isTitle ? 'flex flex-col justify-center font-serif font-semibold' : ''}`}
        style={place}
      >
        {content}
      </div>
    );
  });
  // Shapes without a position are stacked below the title.
  return (
    <>
      {placed}
      {loose.length > 0 && (
        <div className="absolute inset-x-[6%] top-[28%] bottom-[6%] flex flex-col gap-[1.5cqw] overflow-hidden">
          {loose.map((content, key) => (
            <div key={key}>{content}</div>
          ))}
        </div>
      )}
    </>
  );
}

function Paragraphs({ body, width, points }: { body: Element | undefined; width: number; points: number }): ReactNode {
  return childElements(body, 'p').map((paragraph, key) => {
    const runs = childElements(paragraph, 'r');
    const text = runs.map((run) => childElement(run, 't')?.textContent ?? '').join('');
    if (text.trim() === '') return null;
    const own = Number(attribute(childElement(runs[0], 'rPr'), 'sz') ?? 0) / 100;
    const level = Math.min(8, Number(attribute(childElement(paragraph, 'pPr'), 'lvl') ?? 0));
    // Font size as a percentage of the slide's width, so that the text scales with the slide.
    const share = (((own > 0 ? own : points) * emuPerPoint) / width) * 100;
    const align = { ctr: 'center', r: 'right' }[attribute(childElement(paragraph, 'pPr'), 'algn') ?? ''];
    return (
      <p
        key={key}
        className="leading-tight"
        style={{ fontSize: `${share}cqw`, paddingLeft: `${level * 2}cqw`, textAlign: align as 'center' | undefined }}
      >
        {text}
      </p>
    );
  });
}

function SlideTable({ table, width }: { table: Element | undefined; width: number }): ReactNode {
  return (
    <table className="w-full border-collapse">
      <tbody>
        {childElements(table, 'tr').map((row, rowAt) => (
          <tr key={rowAt}>
            {childElements(row, 'tc').map((cell, cellAt) => (
              <td key={cellAt} className="border border-[#cdc8ba] p-[0.4cqw] align-top">
                <Paragraphs body={childElement(cell, 'txBody')} width={width} points={14} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface Placeholder {
  type: string;
  index: string | undefined;
}

function placeholderOf(shape: Element): Placeholder | undefined {
  const found = shape.getElementsByTagNameNS('*', 'ph')[0];
  return found && { type: found.getAttribute('type') ?? 'body', index: found.getAttribute('idx') ?? undefined };
}

function boxOf(shape: Element): Box | undefined {
  const place = childElement(shape, 'spPr', 'xfrm') ?? childElement(shape, 'xfrm');
  const [off, ext] = [childElement(place, 'off'), childElement(place, 'ext')];
  if (!off || !ext) return undefined;
  const number = (element: Element, name: string): number => Number(attribute(element, name) ?? 0);
  return { left: number(off, 'x'), top: number(off, 'y'), width: number(ext, 'cx'), height: number(ext, 'cy') };
}

/**
 * Returns the position that a shape inherits if it specifies none: the position of the placeholder with the same index
 * or type in the slide layout. Returns undefined if there is no such placeholder.
 */
function inherited(layout: Element | undefined, kind: Placeholder | undefined): Box | undefined {
  if (!layout || !kind) return undefined;
  const shapes = [...layout.children].filter((shape) => placeholderOf(shape) !== undefined);
  const same =
    shapes.find((shape) => kind.index !== undefined && placeholderOf(shape)?.index === kind.index) ??
    shapes.find((shape) => placeholderOf(shape)?.type === kind.type);
  return same && boxOf(same);
}

function titleBox(width: number, height: number): Box {
  return { left: width * 0.06, top: height * 0.06, width: width * 0.88, height: height * 0.18 };
}
