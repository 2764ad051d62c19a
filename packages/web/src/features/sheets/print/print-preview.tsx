import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { useSheet } from '../sheet-session.ts';
import { buildPrintTable } from './build-print-table.ts';
import { headerSides, headerText, splitHeader } from './header-words.ts';
import { pageSize, printableArea, printScale, type PageSetup } from './page-setup.ts';

const shownWidth = 260;
const pixelsPerMm = 96 / 25.4;
const pixelsPerInch = 96;

/** Shows in the page setup dialog how the first page will be printed, and the number of pages. */
export function PrintPreview({ setup }: { setup: PageSetup }): ReactNode {
  const { session, text } = useSheet();
  const { id, name } = session.tab;
  const { print_area, titles, options } = setup;
  const built = useQuery({
    queryKey: ['sheet', session.fileId, 'print-preview', id, session.version, print_area, titles, options],
    queryFn: async () => (await buildPrintTable(session, id, setup)) ?? null,
    retry: false,
    gcTime: 0,
  });
  const place = useRef<HTMLDivElement>(null);
  const [width, height] = pageSize(setup);
  const shrink = shownWidth / (width * pixelsPerMm);
  const scale = built.data ? printScale(setup, built.data) : 1;
  useLayoutEffect(() => {
    const { data } = built;
    if (!data || !place.current) return;
    data.table.style.width = `${data.width}px`;
    data.table.style.zoom = String(scale * shrink);
    place.current.replaceChildren(data.table);
  }, [built, scale, shrink]);
  const area = printableArea(setup);
  const pages = built.data
    ? Math.ceil((built.data.height * scale) / area.height) *
      Math.max(1, Math.ceil((built.data.width * scale - 1) / area.width))
    : 0;
  const values: Record<string, string> = {
    '&P': '1',
    '&N': String(pages),
    '&A': name,
    '&F': session.info.get().title,
    '&D': new Date().toLocaleDateString(),
    '&T': new Date().toLocaleTimeString(),
  };
  const { left, right, top, bottom } = setup.margins;
  const inches = (size: number): number => size * pixelsPerInch * shrink;
  return (
    <figure aria-label={text('printPreview')} className="flex w-[260px] shrink-0 flex-col items-center gap-2">
      <div
        aria-hidden
        data-preview
        className="relative overflow-hidden bg-white text-black shadow-float scheme-light"
        style={{ width: shownWidth, height: height * pixelsPerMm * shrink, fontSize: 13.3 * shrink }}
      >
        <Line
          line={setup.header ?? ''}
          values={values}
          style={{ top: 0, height: inches(top), left: inches(left), right: inches(right) }}
        />
        <div
          ref={place}
          data-print-preview={options.includes('center_across') ? 'centered' : ''}
          className="absolute overflow-hidden"
          style={{ left: inches(left), right: inches(right), top: inches(top), bottom: inches(bottom) }}
        />
        <Line
          line={setup.footer ?? ''}
          values={values}
          style={{ bottom: 0, height: inches(bottom), left: inches(left), right: inches(right) }}
        />
      </div>
      <figcaption role="status" className="text-sm text-soft">
        {built.isPending ? '…' : text(built.data ? 'printPages' : 'nothingToPrint', { count: pages })}
      </figcaption>
    </figure>
  );
}

function Line({
  line,
  values,
  style,
}: {
  line: string;
  values: Record<string, string>;
  style: React.CSSProperties;
}): ReactNode {
  const parts = splitHeader(line);
  return (
    <div className="absolute grid grid-cols-3 items-center whitespace-nowrap" style={style}>
      {headerSides.map((side) => (
        <span key={side} className={side === 'L' ? '' : side === 'C' ? 'text-center' : 'text-right'}>
          {headerText(parts[side], (code) => values[code])}
        </span>
      ))}
    </div>
  );
}
