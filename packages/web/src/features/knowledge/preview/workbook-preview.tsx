import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { SheafError, sheaf } from '../../../lib/api-client.ts';
import { ActiveCellAnnouncer } from '../../sheets/active-cell-announcer.tsx';
import { ChartLayer } from '../../sheets/charts/chart-layer.tsx';
import { FormulaBar } from '../../sheets/formula-bar.tsx';
import { GridSurface, type GridActions } from '../../sheets/grid/grid-surface.tsx';
import type { ActionContext } from '../../sheets/sheet-actions.ts';
import { ImageLayer } from '../../sheets/panels/image-layer.tsx';
import { KeptObjectsLayer } from '../../sheets/panels/kept-objects-layer.tsx';
import { PanelState } from '../../sheets/panels/panel-state.ts';
import { SessionContext } from '../../sheets/sheet-session.ts';
import { SheetTabs } from '../../sheets/sheet-tabs.tsx';
import { installFocusCycling } from '../../sheets/focus-cycling.ts';
import { useLanguage, type Language } from '../../../i18n/use-translation.ts';
import { ErrorState, SkeletonLines } from '../../../ui/status-placeholders.tsx';
import { useStore } from '../../../ui/store.ts';
import { WorkbookSession } from './workbook-session.ts';

/** The preview is read-only, so these actions do nothing. */
const noActions: GridActions = { undo() {}, redo() {}, openMenu() {}, tell() {} };

/**
 * Notices for a truncated preview. They are defined here and not in the translations that every page loads, because few
 * pages need them.
 */
const truncationNotices: Record<Language, (rows: string, allRows: string, cols: string, allCols: string) => string> = {
  en: (rows, allRows, cols, allCols) =>
    `Showing ${rows} of ${allRows} rows and ${cols} of ${allCols} columns. Open in Sheets shows everything.`,
  zh: (rows, allRows, cols, allCols) =>
    `显示 ${allRows} 行中的 ${rows} 行、${allCols} 列中的 ${cols} 列。“在表格中打开”可查看全部。`,
};

interface WorkbookPreviewProps {
  id: string;
  /**
   * Called if the server refuses to open the workbook, for example because it is too large, damaged or protected. The
   * caller then shows the extracted text instead.
   */
  onUnfit: () => void;
}

export function WorkbookPreview({ id, onUnfit }: WorkbookPreviewProps): ReactNode {
  const file = useQuery({
    queryKey: ['workbook', id],
    queryFn: ({ signal }) => sheaf.wiki.view_workbook({ media_id: id }, { signal }),
    staleTime: 60_000,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    // By default, TanStack Query compares each response with the previous one, in order to reuse equal parts. For a
    // large workbook this takes longer than rendering it.
    structuralSharing: false,
    retry: false,
  });
  const session = useMemo(() => file.data && new WorkbookSession(file.data), [file.data]);
  const isUnfit = file.error instanceof SheafError;
  useEffect(() => {
    if (isUnfit) onUnfit();
  }, [isUnfit, onUnfit]);
  if (file.isError && !isUnfit) return <ErrorState error={file.error} retry={() => void file.refetch()} />;
  if (!session)
    return (
      <div className="min-h-0 flex-1 p-8" aria-busy>
        <SkeletonLines count={8} className="h-5" />
      </div>
    );
  return (
    <SessionContext value={session}>
      <WorkbookGrid key={session.tabs.get()[0]!.id} session={session} />
    </SessionContext>
  );
}

function WorkbookGrid({ session }: { session: WorkbookSession }): ReactNode {
  const [parts, setParts] = useState<ActionContext>();
  const [state] = useState(() => new PanelState());
  const overlays = useMemo(
    () => [
      <KeptObjectsLayer key="kept" />,
      <ChartLayer key="charts" state={state} />,
      <ImageLayer key="images" state={state} />,
    ],
    [state],
  );
  const whole = useRef<HTMLDivElement>(null);
  useEffect(() => installFocusCycling(whole.current!), []);
  return (
    <div ref={whole} className="flex min-h-0 flex-1 flex-col bg-paper" data-sheet>
      {parts ? <FormulaBar parts={parts} /> : <div className="h-8 shrink-0 border-b border-line" />}
      <div className="relative flex min-h-0 flex-1">
        <GridSurface actions={noActions} onReady={setParts} />
      </div>
      <TruncationNotice session={session} />
      <footer className="flex h-10 shrink-0 items-center border-t border-line bg-panel px-1.5" data-part>
        <SheetTabs />
      </footer>
      {parts && <ActiveCellAnnouncer parts={parts} />}
      {parts && overlays}
    </div>
  );
}

/** Shows a notice if the preview contains only a part of the displayed sub-sheet (a tab of the workbook). */
function TruncationNotice({ session }: { session: WorkbookSession }): ReactNode {
  const language = useLanguage();
  const sheet = session.sheet(useStore(session.current));
  if (!sheet.is_cut) return null;
  const number = (value: number): string => value.toLocaleString(language === 'zh' ? 'zh-CN' : 'en');
  return (
    <p role="status" className="shrink-0 border-t border-line bg-warn-soft px-4 py-1.5 text-sm text-warn">
      {truncationNotices[language](
        number(Math.min(sheet.shown_rows, sheet.used_rows)),
        number(sheet.used_rows),
        number(Math.min(sheet.shown_cols, sheet.used_cols)),
        number(sheet.used_cols),
      )}
    </p>
  );
}
