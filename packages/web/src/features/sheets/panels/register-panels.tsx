import { useNavigate } from '@tanstack/react-router';
import {
  ArrowDownAZ,
  ArrowDownWideNarrow,
  ArrowUpZA,
  ChartColumn,
  Copy,
  Download,
  Hash,
  History,
  Highlighter,
  Image,
  Link2,
  ListChecks,
  ListFilter,
  Lock,
  MessageSquare,
  Pencil,
  Printer,
  Replace,
  Search,
  Share2,
  Table2,
  Tag,
  Trash2,
} from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useCommandShortcut } from '../../../lib/keyboard-shortcuts.ts';
import { runInTasks } from '../../../lib/run-in-tasks.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { promptText } from '../../../ui/prompt-dialog.tsx';
import { useStore } from '../../../ui/store.ts';
import { showToast, showErrorToast } from '../../../ui/toast.tsx';
import { ChartLayer } from '../charts/chart-layer.tsx';
import { ChartPanel } from '../charts/chart-panel.tsx';
import { readImportReport } from '../import-report.ts';
import { PrintDialog } from '../print/print-dialog.tsx';
import { useSession, type Action } from '../sheet-session.ts';
import { copyDocument, deleteDocument, exportDocument, renameDocument, restoreDocument } from './document-actions.ts';
import { CommentLayer } from './comments/comment-layer.tsx';
import { CommentsPanel } from './comments/comments-panel.tsx';
import { FilterLayer, toggleFilter } from './filter-layer.tsx';
import { FindPanel } from './find-panel.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { HitLayer } from './hit-layer.tsx';
import { ImageDialog, ImageLayer } from './image-layer.tsx';
import { ImportReportPanel } from './import-report-panel.tsx';
import { LinkCard } from './link-card.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { DefinedNamesPanel } from './defined-names-panel.tsx';
import { NumberFormatDialog } from './number-format-dialog.tsx';
import { OutlineLayer } from './outline/outline-layer.tsx';
import { PivotDialog, PivotLayer, PivotPanel } from './pivot-panel.tsx';
import { ProtectionLayer, ProtectionPanel, protectSelection } from './protection-panel.tsx';
import { ConditionalFormatsPanel } from './conditional-format/conditional-formats-panel.tsx';
import { ShareDocumentDialog } from './share-dialog.tsx';
import { SortDialog, sortSelection } from './sort-dialog.tsx';
import { PanelState } from './panel-state.ts';
import { ValidationLayer } from './validation/validation-layer.tsx';
import { ValidationPanel } from './validation/validation-panel.tsx';

/**
 * Registers the panels, tools and menus with the session and renders the dialogs. Rendered once per document, as a
 * separate chunk.
 */
export function PanelRegistration(): ReactNode {
  const [state] = useState(() => new PanelState());
  useRegisterLayers(state);
  useRegisterPanels(state);
  useRegisterTools(state);
  useRegisterMenus(state);
  return useStore(state.dialog);
}

function useRegisterLayers(state: PanelState): void {
  const session = useSession();
  useEffect(() => {
    const edit = (): void => state.dialog.set(<LinkDialog onClose={state.closeDialog} />);
    return runInTasks([
      () => session.overlays.add(() => <ProtectionLayer />),
      () => session.overlays.add(() => <HitLayer state={state} />),
      () => session.overlays.add(() => <PivotLayer state={state} />),
      () => session.overlays.add(() => <FilterLayer />),
      () => session.overlays.add(() => <ImageLayer state={state} />),
      () => session.overlays.add(() => <ChartLayer state={state} />),
      () => session.overlays.add(() => <LinkCard onEdit={edit} />),
      () => session.overlays.add(() => <ValidationLayer />),
      () => session.overlays.add(() => <CommentLayer />),
      () => session.overlays.add(() => <OutlineLayer />),
      // Selecting cells deselects the chart or image.
      () =>
        session.selection.subscribe(() => {
          state.image.set(undefined);
          if (session.panel.get() !== 'chart') state.chart.set(undefined);
        }),
    ]);
  }, [session, state]);
}

function useRegisterPanels(state: PanelState): void {
  const text = useTranslation();
  const session = useSession();
  useEffect(() => {
    const newPivot = (): void => state.dialog.set(<PivotDialog state={state} onClose={state.closeDialog} />);
    const stops = [
      session.panels.add({ name: 'chart', title: text('chart'), render: () => <ChartPanel state={state} /> }),
      session.panels.add({ name: 'find', title: text('findReplace'), render: () => <FindPanel state={state} /> }),
      session.panels.add({
        name: 'pivot',
        title: text('pivotTable'),
        render: () => <PivotPanel state={state} create={newPivot} />,
      }),
      session.panels.add({ name: 'protection', title: text('protectedRanges'), render: () => <ProtectionPanel /> }),
      session.panels.add({ name: 'rules', title: text('rules'), render: () => <ConditionalFormatsPanel /> }),
      session.panels.add({ name: 'validation', title: text('validation'), render: () => <ValidationPanel /> }),
      session.panels.add({ name: 'comments', title: text('comments'), render: () => <CommentsPanel /> }),
      session.panels.add({ name: 'names', title: text('names'), render: () => <DefinedNamesPanel /> }),
      session.panels.add({ name: 'import', title: text('importReport'), render: () => <ImportReportPanel /> }),
      session.panels.add({ name: 'history', title: text('history'), render: () => <HistoryPanel /> }),
    ];
    return () => stops.forEach((stop) => stop());
  }, [session, state, text]);
  // After an import, show first what is missing.
  useEffect(() => {
    if (readImportReport(session.fileId).length > 0 && session.panel.get() === undefined) session.panel.set('import');
  }, [session]);
}

function useRegisterTools(state: PanelState): void {
  const text = useTranslation();
  const session = useSession();
  const open = useStore(session.panel);
  const { role } = useStore(session.info);
  const find = (replacing: boolean): void => {
    state.replacing.set(replacing);
    session.panel.set('find');
    state.findAsked.set(state.findAsked.get() + 1);
  };
  useCommandShortcut('f', () => find(false));
  useCommandShortcut('h', () => find(role !== 'viewer'));
  useEffect(() => {
    const writes = role !== 'viewer';
    const dialog = (node: ReactNode) => () => state.dialog.set(node);
    const chart = (): void => {
      state.chart.set(undefined);
      session.openPanel('chart');
    };
    const actions: Action[] = [
      {
        id: 'chart',
        label: text('insertChart'),
        icon: <ChartColumn size={16} />,
        run: chart,
        pressed: open === 'chart',
        disabled: !writes,
      },
      {
        id: 'image',
        label: text('insertImage'),
        icon: <Image size={16} />,
        run: dialog(<ImageDialog onClose={state.closeDialog} />),
        disabled: !writes,
      },
      {
        id: 'link',
        label: text('link'),
        icon: <Link2 size={16} />,
        run: dialog(<LinkDialog onClose={state.closeDialog} />),
        disabled: !writes,
      },
      {
        id: 'filter',
        label: text('filter'),
        icon: <ListFilter size={16} />,
        run: () => void toggleFilter(session, text('nothingToFilter')).catch(showErrorToast),
        disabled: !writes,
      },
      {
        id: 'sort',
        label: text('sortDots'),
        icon: <ArrowDownWideNarrow size={16} />,
        run: dialog(<SortDialog onClose={state.closeDialog} />),
        disabled: !writes,
      },
      {
        id: 'rules',
        label: text('rules'),
        icon: <Highlighter size={16} />,
        run: () => session.openPanel('rules'),
        pressed: open === 'rules',
        menu: 'data',
      },
      {
        id: 'validation',
        label: text('validation'),
        icon: <ListChecks size={16} />,
        run: () => session.openPanel('validation'),
        pressed: open === 'validation',
        menu: 'data',
      },
      {
        id: 'pivot',
        label: text('pivotTable'),
        icon: <Table2 size={16} />,
        run: () => session.openPanel('pivot'),
        pressed: open === 'pivot',
      },
      {
        id: 'protection',
        label: text('protectedRanges'),
        icon: <Lock size={16} />,
        run: () => session.openPanel('protection'),
        pressed: open === 'protection',
      },
      {
        id: 'names',
        label: text('names'),
        icon: <Tag size={16} />,
        run: () => session.openPanel('names'),
        pressed: open === 'names',
        menu: 'data',
      },
      {
        id: 'comments',
        label: text('comments'),
        icon: <MessageSquare size={16} />,
        run: () => session.openPanel('comments'),
        pressed: open === 'comments',
      },
      {
        id: 'find',
        label: text('findReplace'),
        icon: <Search size={16} />,
        run: () => (open === 'find' ? session.closePanel() : find(false)),
        pressed: open === 'find',
      },
      {
        id: 'history',
        label: text('history'),
        icon: <History size={16} />,
        run: () => session.openPanel('history'),
        pressed: open === 'history',
      },
    ];
    const stops = actions.map((action) => session.toolbar.add(action));
    return () => stops.forEach((stop) => stop());
  }, [session, state, text, open, role]);
}

function useRegisterMenus(state: PanelState): void {
  const text = useTranslation();
  const session = useSession();
  const navigate = useNavigate();
  const { title, role } = useStore(session.info);
  useEffect(() => {
    if (role === 'viewer') return undefined;
    const dialog = (node: ReactNode) => () => state.dialog.set(node);
    const sorted = (ascending: boolean) => () =>
      void sortSelection(session, ascending, text('nothingToSort'), (row) => text('totalsStayed', { row })).catch(
        showErrorToast,
      );
    const entries: Action[] = [
      { id: 'sort-up', label: text('sortUp'), icon: <ArrowDownAZ size={15} />, run: sorted(true) },
      { id: 'sort-down', label: text('sortDown'), icon: <ArrowUpZA size={15} />, run: sorted(false) },
      {
        id: 'sort',
        label: text('sortDots'),
        icon: <ArrowDownWideNarrow size={15} />,
        run: dialog(<SortDialog onClose={state.closeDialog} />),
      },
      {
        id: 'filter',
        label: text('filter'),
        icon: <ListFilter size={15} />,
        run: () => void toggleFilter(session, text('nothingToFilter')).catch(showErrorToast),
      },
    ];
    const more: Action[] = [
      {
        id: 'comment',
        label: text('commentDots'),
        icon: <MessageSquare size={15} />,
        run: () => session.requestOpen('comment'),
      },
      {
        id: 'link',
        label: text('linkDots'),
        icon: <Link2 size={15} />,
        run: dialog(<LinkDialog onClose={state.closeDialog} />),
      },
      {
        id: 'number-format',
        label: text('numberFormatDots'),
        icon: <Hash size={15} />,
        run: dialog(<NumberFormatDialog onClose={state.closeDialog} />),
      },
      {
        id: 'pivot',
        label: text('newPivotDots'),
        icon: <Table2 size={15} />,
        run: dialog(<PivotDialog state={state} onClose={state.closeDialog} />),
      },
      {
        id: 'protect',
        label: text('protectSelection'),
        icon: <Lock size={15} />,
        run: () => void protectSelection(session).catch(showErrorToast),
      },
    ];
    const stops = [
      session.contextMenu.add(() => entries),
      session.contextMenu.add((place) => (place.kind === 'cells' ? more : more.slice(2))),
    ];
    return () => stops.forEach((stop) => stop());
  }, [session, state, text, role]);
  useEffect(() => {
    const copy = async (): Promise<void> => {
      const id = await copyDocument(session.fileId, text('copyOf', { name: title }).slice(0, 255));
      await navigate({ to: '/sheet/$id', params: { id } });
    };
    const rename = async (): Promise<void> => {
      const next = await promptText({
        title: text('rename'),
        label: text('title'),
        initial: title,
        action: text('rename'),
      });
      if (next === undefined) return;
      await renameDocument(session.fileId, next);
      await session.readInfo();
    };
    const remove = async (): Promise<void> => {
      await deleteDocument(session.fileId);
      await navigate({ to: '/sheet' });
      showToast(text('sheetDeleted', { name: title }), {
        label: text('undo'),
        run: () => void restoreDocument(session.fileId).catch(showErrorToast),
      });
    };
    const actions: (Action | false)[] = [
      role === 'owner' && {
        id: 'share',
        label: text('shareDots'),
        icon: <Share2 size={15} />,
        run: () =>
          state.dialog.set(<ShareDocumentDialog fileId={session.fileId} title={title} onClose={state.closeDialog} />),
      },
      role !== 'viewer' && {
        id: 'rename',
        label: text('renameDots'),
        icon: <Pencil size={15} />,
        run: () => void rename().catch(showErrorToast),
      },
      { id: 'copy', label: text('makeCopy'), icon: <Copy size={15} />, run: () => void copy().catch(showErrorToast) },
      {
        id: 'print',
        label: text('printDots'),
        icon: <Printer size={15} />,
        run: () => state.dialog.set(<PrintDialog onClose={state.closeDialog} />),
      },
      {
        id: 'xlsx',
        label: text('exportXlsx'),
        icon: <Download size={15} />,
        run: () => void exportDocument(session.fileId, 'xlsx').catch(showErrorToast),
      },
      {
        id: 'csv',
        label: text('exportCsv'),
        icon: <Download size={15} />,
        run: () => void exportDocument(session.fileId, 'csv', session.tab.id).catch(showErrorToast),
      },
      role !== 'viewer' && {
        id: 'replace',
        label: text('findReplace'),
        icon: <Replace size={15} />,
        run: () => {
          state.replacing.set(true);
          session.panel.set('find');
        },
      },
      role === 'owner' && {
        id: 'delete',
        label: text('delete'),
        icon: <Trash2 size={15} />,
        danger: true,
        run: () => void remove().catch(showErrorToast),
      },
    ];
    const stops = actions.flatMap((action) => (action ? [session.documentMenu.add(action)] : []));
    return () => stops.forEach((stop) => stop());
  }, [session, state, text, navigate, title, role]);
}
