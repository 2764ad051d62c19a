import { memo, useEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import type { PdfFile, PdfLink, PdfPage } from './pdf-file.ts';
import { findOnPage, type TextPart } from './pdf-passage.ts';

/** The passage and the search words to highlight. Both may be empty. */
export interface SearchHighlights {
  readonly passage: string;
  readonly words: readonly string[];
}

interface PdfPageViewProps {
  file: PdfFile;
  number: number;
  /** Width of the page in pixels. */
  width: number;
  /** Height of the file's first page divided by its width. Used as the shape of this page until this page is loaded. */
  shape: number;
  sought: SearchHighlights;
  /**
   * Called with the screen position of this page's first highlight, so that the viewer can scroll to it. Undefined for
   * all pages except the page at which the viewer opens.
   */
  onMark: ((place: DOMRect) => void) | undefined;
  onFollow: (page: number) => void;
  onUnfit: (error: unknown) => void;
}

/**
 * Shows one PDF page as a canvas with a text layer. The canvas and the layer exist only while the page is near the
 * visible area, so that long files use little memory.
 */
export const PdfPageView = memo(function PdfPageView(props: PdfPageViewProps): ReactNode {
  const { file, number, width, sought, onMark, onUnfit } = props;
  const text = useTranslation();
  const box = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const isNear = useIsNear(box);
  const [page, setPage] = useState<PdfPage>();
  useEffect(() => {
    if (isNear && !page) file.page(number).then(setPage, onUnfit);
  }, [file, number, isNear, page, onUnfit]);
  const scale = page ? width / page.width : 1;
  useEffect(() => {
    if (!isNear || !page) return undefined;
    const abort = new AbortController();
    page.draw(canvas.current!, scale, abort.signal).catch(onUnfit);
    return () => abort.abort();
  }, [page, isNear, scale, onUnfit]);
  useEffect(() => {
    if (!isNear || !page) return undefined;
    const layer = document.createElement('div');
    layer.className = 'pdf-texts';
    box.current!.append(layer);
    let unmark: (() => void) | undefined;
    const lay = async (): Promise<void> => {
      const elements = await page.layTexts(layer);
      const { passage, words } = findOnPage(await page.texts(), sought.passage, sought.words);
      if (!layer.isConnected) return;
      unmark = mark(elements, passage, words);
      const first = rangesOf(elements, passage.length > 0 ? passage : words)[0];
      if (first) onMark?.(first.getBoundingClientRect());
    };
    lay().catch((error: unknown) => console.info('the texts of a page', error));
    return () => {
      unmark?.();
      layer.remove();
    };
  }, [page, isNear, sought, onMark]);
  const height = Math.round(width * (page ? page.height / page.width : props.shape));
  return (
    <section
      ref={box}
      data-page={number}
      aria-label={text('pageNumber', { number })}
      aria-busy={isNear && !page}
      className="relative shrink-0 bg-white shadow-sm ring-1 ring-line"
      style={
        {
          width,
          height,
          '--total-scale-factor': scale,
          '--scale-round-x': '1px',
          '--scale-round-y': '1px',
        } as CSSProperties
      }
    >
      {isNear && <canvas ref={canvas} aria-hidden className="absolute inset-0 size-full" />}
      {isNear && page && <Links file={file} page={page} onFollow={props.onFollow} />}
    </section>
  );
});

/**
 * Returns whether an element is in the visible area of its scroll container, or less than one container height away.
 */
function useIsNear(element: { readonly current: HTMLElement | null }): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => setNear(entry!.isIntersecting), {
      root: element.current!.parentElement,
      rootMargin: '100% 0px',
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}

interface PlacedLink extends PdfLink {
  /**
   * Number of the page to which a link inside the file points. Undefined for an external link and for a link whose
   * target does not exist.
   */
  readonly target: number | undefined;
}

function Links({
  file,
  page,
  onFollow,
}: {
  file: PdfFile;
  page: PdfPage;
  onFollow: (page: number) => void;
}): ReactNode {
  const text = useTranslation();
  const [links, setLinks] = useState<readonly PlacedLink[]>([]);
  useEffect(() => {
    let isNeeded = true;
    const load = async (): Promise<void> => {
      const found = await page.links();
      const placed = await Promise.all(
        found.map(async (link) => ({
          ...link,
          target: link.url === undefined ? await file.targetOf(link.destination) : undefined,
        })),
      );
      if (isNeeded) setLinks(placed);
    };
    load().catch((error: unknown) => console.info('the links of a page', error));
    return () => {
      isNeeded = false;
    };
  }, [file, page]);
  const share = (part: number, whole: number): string => `${(part / whole) * 100}%`;
  return links.map(({ url, target, ...place }, index) => {
    const shared = {
      className: 'absolute z-1 rounded-xs hover:bg-accent/15',
      style: {
        left: share(place.left, page.width),
        top: share(place.top, page.height),
        width: share(place.width, page.width),
        height: share(place.height, page.height),
      },
    };
    if (url !== undefined)
      return <a key={index} href={url} target="_blank" rel="noopener noreferrer" aria-label={url} {...shared} />;
    if (target === undefined) return null;
    return (
      <button
        key={index}
        type="button"
        aria-label={text('pageNumber', { number: target })}
        onClick={() => onFollow(target)}
        {...shared}
      />
    );
  });
}

function rangesOf(elements: readonly HTMLElement[], parts: readonly TextPart[]): Range[] {
  return parts.flatMap(({ index, from, to }) => {
    const node = elements[index]?.firstChild;
    if (!node || to > (node.textContent ?? '').length) return [];
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, to);
    return [range];
  });
}

/**
 * Highlights ranges of a passage and of search words in the text elements of one page. Highlights of other pages are
 * unchanged. Returns a function that removes the highlights.
 */
function mark(elements: readonly HTMLElement[], passage: readonly TextPart[], words: readonly TextPart[]): () => void {
  if (!('highlights' in CSS)) return () => undefined;
  const added = [
    ['pdf-passage', rangesOf(elements, passage)],
    ['pdf-words', rangesOf(elements, words)],
  ] as const;
  for (const [name, ranges] of added) {
    const all = CSS.highlights.get(name) ?? new Highlight();
    // Search words are highlighted on top of the passage that contains them.
    all.priority = name === 'pdf-words' ? 1 : 0;
    for (const range of ranges) all.add(range);
    CSS.highlights.set(name, all);
  }
  return () => {
    for (const [name, ranges] of added) for (const range of ranges) CSS.highlights.get(name)?.delete(range);
  };
}
