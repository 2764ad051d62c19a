import { ExternalLink, ZoomIn, ZoomOut } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Spinner } from '../../../ui/status-placeholders.tsx';
import { PdfFile } from './pdf-file.ts';
import { findOnPage } from './pdf-passage.ts';
import { PdfPageView, type SearchHighlights } from './pdf-page-view.tsx';
import './pdf-preview.css';

interface PdfPreviewProps {
  address: string;
  title: string;
  /** Label of the page to open first, such as "page 3". Undefined to open the first page that contains the passage. */
  page: string | undefined;
  /** Passage and search words to highlight. */
  sought: SearchHighlights;
  /** Called if no page of the file contains the passage. The caller then shows the extracted text. */
  onMissing: () => void;
}

const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3];
const natural = zooms.indexOf(1);
/** Maximum width of a page in pixels at zoom 1. Other viewers use the same width for their contents. */
const readingWidth = 880;
const sideSpace = 32;

/**
 * Shows the pages of a PDF file with a passage highlighted. Falls back to the browser's own PDF viewer if the file
 * cannot be drawn.
 */
export function PdfPreview({ address, title, page, sought, onMissing }: PdfPreviewProps): ReactNode {
  const text = useTranslation();
  const start = Number(/\d+/.exec(page ?? '')?.[0] ?? 0);
  const [file, setFile] = useState<PdfFile>();
  const [isUnfit, setUnfit] = useState(false);
  useEffect(() => {
    let isNeeded = true;
    let opened: PdfFile | undefined;
    PdfFile.open(address).then(
      (one) => {
        if (!isNeeded) return one.close();
        opened = one;
        setFile(one);
      },
      (error: unknown) => {
        console.info('a PDF file', error);
        if (isNeeded) setUnfit(true);
      },
    );
    return () => {
      isNeeded = false;
      opened?.close();
      setFile(undefined);
    };
  }, [address]);
  const fail = useCallback((error: unknown) => {
    console.info('a page of a PDF file', error);
    setUnfit(true);
  }, []);
  if (isUnfit)
    return (
      <iframe
        title={title}
        src={address + (start > 0 ? `#page=${start}` : '')}
        className="min-h-0 w-full flex-1 border-0 bg-white"
      />
    );
  if (!file)
    return (
      <div className="flex flex-1 items-center justify-center" aria-busy>
        <Spinner label={text('openingPdf')} />
      </div>
    );
  return <Pages file={file} {...{ address, title, start, sought, onMissing }} onUnfit={fail} />;
}

interface PagesProps extends Omit<PdfPreviewProps, 'page'> {
  file: PdfFile;
  start: number;
  onUnfit: (error: unknown) => void;
}

function Pages({ file, address, title, start, sought, onMissing, onUnfit }: PagesProps): ReactNode {
  const text = useTranslation();
  const room = useRef<HTMLDivElement>(null);
  const [space, setSpace] = useState(0);
  const [zoom, setZoom] = useState(natural);
  const [shape, setShape] = useState<number>();
  const [shown, setShown] = useState(1);
  const target = useTarget(file, start, sought, onMissing);
  const isMoved = useRef(false);
  useLayoutEffect(() => {
    const measure = new ResizeObserver(([entry]) => setSpace(Math.floor(entry!.contentRect.width)));
    measure.observe(room.current!);
    return () => measure.disconnect();
  }, []);
  useEffect(() => {
    file.page(1).then((first) => setShape(first.height / first.width), onUnfit);
  }, [file, onUnfit]);
  const goTo = useCallback((number: number) => {
    room.current?.querySelector(`[data-page="${number}"]`)?.scrollIntoView({ block: 'start' });
  }, []);
  const isReady = shape !== undefined && space > 0;
  useEffect(() => {
    isMoved.current = false;
    if (isReady && target !== undefined) goTo(target);
  }, [isReady, target, goTo]);
  const showMark = useCallback((mark: DOMRect) => {
    const box = room.current!;
    if (!isMoved.current) box.scrollTop += mark.top - box.getBoundingClientRect().top - box.clientHeight / 3;
  }, []);
  const stay = (): void => {
    isMoved.current = true;
  };
  const width = Math.round(Math.min(readingWidth, space - sideSpace) * zooms[zoom]!);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col bg-panel">
      <div
        ref={room}
        role="region"
        aria-label={title}
        tabIndex={0}
        onWheel={stay}
        onPointerDown={stay}
        onKeyDown={stay}
        onScroll={(event) => setShown(pageInView(event.currentTarget))}
        className="scroll-thin relative flex min-h-0 flex-1 flex-col items-center-safe gap-4 overflow-auto py-4 pb-20"
      >
        {isReady &&
          Array.from({ length: file.pageCount }, (_, index) => (
            <PdfPageView
              key={index}
              file={file}
              number={index + 1}
              width={width}
              shape={shape}
              sought={sought}
              onMark={target === index + 1 ? showMark : undefined}
              onFollow={goTo}
              onUnfit={onUnfit}
            />
          ))}
      </div>
      <div className="absolute bottom-4 left-1/2 flex -translate-x-1/2 items-center gap-1 rounded-xl border border-line bg-raised px-2 py-1 shadow-md">
        <span role="status" className="px-2 text-sm whitespace-nowrap text-soft tabular-nums">
          {text('pageOfCount', { number: Math.min(shown, file.pageCount), count: file.pageCount })}
        </span>
        <IconButton label={text('zoomOut')} disabled={zoom === 0} onClick={() => setZoom(zoom - 1)}>
          <ZoomOut size={17} />
        </IconButton>
        <IconButton label={text('zoomIn')} disabled={zoom === zooms.length - 1} onClick={() => setZoom(zoom + 1)}>
          <ZoomIn size={17} />
        </IconButton>
        <a
          href={address}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={text('openInViewer')}
          title={text('openInViewer')}
          className="inline-flex size-8 items-center justify-center rounded-lg text-soft hover:bg-hover hover:text-ink pointer-coarse:size-10"
        >
          <ExternalLink size={16} />
        </a>
      </div>
    </div>
  );
}

/**
 * Returns the number of the page to scroll to first: the page given in the URL (`start`, or 0 if none is given), or
 * else the first page that contains the passage. Returns undefined while it searches, and if there is no such page.
 * Calls `onMissing` if no page contains the passage.
 */
function useTarget(file: PdfFile, start: number, sought: SearchHighlights, onMissing: () => void): number | undefined {
  const [found, setFound] = useState<number>();
  const { passage, words } = sought;
  useEffect(() => {
    if (start > 0 || passage === '') return undefined;
    let isNeeded = true;
    const search = async (): Promise<void> => {
      for (let number = 1; isNeeded && number <= file.pageCount; number++) {
        const places = findOnPage(await (await file.page(number)).texts(), passage, words);
        if (isNeeded && places.passage.length > 0) return setFound(number);
      }
      if (isNeeded) onMissing();
    };
    search().catch((error: unknown) => console.info('the passage', error));
    return () => {
      isNeeded = false;
    };
  }, [file, start, passage, words, onMissing]);
  return start > 0 ? Math.min(start, file.pageCount) : found;
}

function pageInView(room: HTMLElement): number {
  const middle = room.scrollTop + room.clientHeight / 2;
  const pages = [...room.querySelectorAll<HTMLElement>('[data-page]')];
  const after = pages.findIndex((page) => page.offsetTop > middle);
  return after < 0 ? pages.length : Math.max(after, 1);
}
