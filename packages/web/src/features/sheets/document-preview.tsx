import { useQuery } from '@tanstack/react-query';
import { Table2 } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { sheaf } from '../../lib/api-client.ts';
import { useTranslation } from '../../i18n/use-translation.ts';

/** Size of the previewed range, which starts at A1. */
const shownRows = 4;
const shownRange = `A1:D${shownRows}`;
const maxTokens = 400;
const maxAtOnce = 2;

/**
 * Shows the first cells of a spreadsheet beside its title, and its first non-empty row below the title. The cells are
 * loaded when the list row becomes visible.
 */
export function DocumentPreview({
  id,
  version,
  children,
}: {
  id: string;
  version: number;
  children: ReactNode;
}): ReactNode {
  const text = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const isSeen = useWasSeen(box);
  const cells = useQuery({
    queryKey: ['sheet-preview', id, version],
    queryFn: ({ signal }) => inTurn(signal, () => readCells(id)),
    enabled: isSeen,
    staleTime: Infinity,
    retry: false,
  });
  const rows = cells.data;
  const first = rows?.find((row) => row.some((cell) => cell !== ''));
  return (
    <div ref={box} className="flex min-w-0 flex-1 items-center gap-3">
      <span
        data-preview
        aria-hidden
        className="flex h-11 w-20 shrink-0 items-center justify-center overflow-hidden rounded-md border border-line bg-panel"
      >
        {rows && first ? <Cells rows={rows} /> : <Table2 size={18} className="text-faint" />}
      </span>
      <span className="flex min-w-0 flex-col">
        {children}
        <span className="h-5 truncate text-sm text-faint">
          {first ? first.filter((cell) => cell !== '').join(' · ') : rows && text('emptySpreadsheet')}
        </span>
      </span>
    </div>
  );
}

function Cells({ rows }: { rows: readonly (readonly string[])[] }): ReactNode {
  const columns = Math.max(...rows.map((row) => row.length));
  return (
    <span
      className="grid size-full auto-rows-[0.6875rem] bg-raised text-[0.45rem] leading-[0.6875rem] text-soft"
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
    >
      {rows.flatMap((row, line) =>
        Array.from({ length: columns }, (_, column) => (
          <span
            key={`${line} ${column}`}
            className={`truncate border-r border-b border-line px-0.5 ${line === 0 ? 'font-semibold' : ''}`}
          >
            {row[column]}
          </span>
        )),
      )}
    </span>
  );
}

async function readCells(id: string): Promise<string[][]> {
  const { rows } = await sheaf.sheet.read({ file_id: id, range: shownRange, max_tokens: maxTokens });
  return Array.from({ length: shownRows }, (_, index) => (rows[index + 1] ?? []).map((cell) => String(cell ?? '')));
}

/** Returns whether an element has ever been visible. */
function useWasSeen(element: { readonly current: HTMLElement | null }): boolean {
  const [wasSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry!.isIntersecting) return;
      setSeen(true);
      observer.disconnect();
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [element]);
  return wasSeen;
}

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs a request, but at most `maxAtOnce` of them in parallel, because each request opens a spreadsheet on the server.
 * Requests cancelled while waiting are skipped.
 */
async function inTurn<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  if (running >= maxAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
  try {
    signal.throwIfAborted();
    return await run();
  } finally {
    running--;
    waiting.shift()?.();
  }
}
