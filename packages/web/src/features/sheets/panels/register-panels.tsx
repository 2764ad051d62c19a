import { useNavigate } from '@tanstack/react-router';
import {
  ArrowDownAZ,
  ArrowDownWideNarrow,
  ArrowUpZA,
  ChartColumn,
  Copy,
  Download,
  FileCheck2,
  Group,
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
  Ungroup,
  type LucideIcon,
} from 'lucide-react';
import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { useCommandShortcut } from '../../../lib/keyboard-shortcuts.ts';
import { runInTasks } from '../../../lib/run-in-tasks.ts';
import type { MessageKey, Translate } from '../../../i18n/use-translation.ts';
import { useStore } from '../../../ui/store.ts';
import { showErrorToast } from '../../../ui/toast.tsx';
import { ChartLayer } from '../charts/chart-layer.tsx';
import { ChartPanel } from '../charts/chart-panel.tsx';
import type { GridCommands } from '../grid-commands.ts';
import { readImportReport } from '../import-report.ts';
import { PrintDialog } from '../print/print-dialog.tsx';
import { useSession, useSheet, type ActionPlace, type SheetSession } from '../sheet-session.ts';
import { copyDocument, deleteDocument, exportDocument, renameDocument } from './document-actions.ts';
import { CommentLayer } from './comments/comment-layer.tsx';
import { CommentsPanel } from './comments/comments-panel.tsx';
import { FilterLayer, toggleFilter } from './filter-layer.tsx';
import { FindPanel, HitLayer } from './find-panel.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { ImageDialog, ImageLayer } from './image-layer.tsx';
import { ImportReportPanel } from './import-report-panel.tsx';
import { KeptObjectsLayer } from './kept-objects-layer.tsx';
import { LinkCard } from './link-card.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { DefinedNamesPanel } from './defined-names-panel.tsx';
import { NumberFormatDialog } from './number-format-dialog.tsx';
import { OutlineLayer, shiftDepth } from './outline/outline-layer.tsx';
import { PivotDialog, PivotLayer, PivotPanel } from './pivot-panel.tsx';
import { ProtectionLayer, ProtectionPanel, protectSelection } from './protection-panel.tsx';
import { ConditionalFormatsPanel } from './conditional-format/conditional-formats-panel.tsx';
import { ShareDialog } from '../../sharing/share-dialog.tsx';
import { SortDialog, sortByActiveColumn } from './sort-dialog.tsx';
import { PanelState, type DialogProps, type PanelProps } from './panel-state.ts';
import { ValidationLayer } from './validation/validation-layer.tsx';
import { ValidationPanel } from './validation/validation-panel.tsx';

interface ActionTools {
  readonly session: SheetSession;
  readonly state: PanelState;
  readonly text: Translate;
  readonly commands: GridCommands;
  readonly openDocument: (id: string | undefined) => Promise<void>;
}

/** An action in the toolbar and menus. It opens a panel, opens a dialog, or runs a function. */
interface PanelAction {
  /** Label of the action. It is also the title of its panel, unless `title` is set. */
  readonly label: MessageKey;
  readonly icon: LucideIcon;
  readonly in: readonly ActionPlace[];
  /**
   * Minimum role to run the action; undefined if every user may run it. For users with a lesser role, an action in the
   * toolbar or its data menu is disabled, and any other action is omitted.
   */
  readonly for?: 'editor' | 'owner';
  readonly danger?: true;
  readonly title?: MessageKey;
  readonly panel?: ComponentType<PanelProps>;
  readonly dialog?: ComponentType<DialogProps>;
  readonly run?: (tools: ActionTools) => unknown;
}

function find({ session, state }: Pick<ActionTools, 'session' | 'state'>, replacing: boolean): void {
  state.replacing.set(replacing);
  session.panel.set('findReplace');
  state.findAsked.set(state.findAsked.get() + 1);
}

const sort = { label: 'sortDots', icon: ArrowDownWideNarrow, for: 'editor', dialog: SortDialog } as const;
const filter = { label: 'filter', icon: ListFilter, for: 'editor', run: toggleFilter } as const;

/**
 * The panels and actions that this file adds to the menus and the toolbar of the sheet page, in menu order.
 * sheet-actions.ts defines the actions of the grid.
 */
const panelActions: readonly PanelAction[] = [
  {
    label: 'insertChart',
    icon: ChartColumn,
    in: ['toolbar'],
    for: 'editor',
    title: 'chart',
    panel: ChartPanel,
    run: ({ session, state }) => {
      state.chart.set(undefined);
      session.openPanel('chart');
    },
  },
  { label: 'insertImage', icon: Image, in: ['toolbar'], for: 'editor', dialog: ImageDialog },
  { label: 'link', icon: Link2, in: ['toolbar'], for: 'editor', dialog: LinkDialog },
  { ...filter, in: ['toolbar'] },
  { ...sort, in: ['toolbar'] },
  { label: 'rules', icon: Highlighter, in: ['data'], panel: ConditionalFormatsPanel },
  { label: 'validation', icon: ListChecks, in: ['data'], panel: ValidationPanel },
  { label: 'names', icon: Tag, in: ['data'], panel: DefinedNamesPanel },
  { label: 'groupLines', icon: Group, in: ['data'], for: 'editor', run: ({ session }) => shiftDepth(session, 1) },
  { label: 'ungroupLines', icon: Ungroup, in: ['data'], for: 'editor', run: ({ session }) => shiftDepth(session, -1) },
  { label: 'pivotTable', icon: Table2, in: ['toolbar'], panel: PivotPanel },
  { label: 'protectedRanges', icon: Lock, in: ['toolbar'], panel: ProtectionPanel },
  { label: 'comments', icon: MessageSquare, in: ['toolbar'], panel: CommentsPanel },
  {
    label: 'findReplace',
    icon: Search,
    in: ['toolbar'],
    panel: FindPanel,
    run: (tools) => (tools.session.panel.get() === 'findReplace' ? tools.session.closePanel() : find(tools, false)),
  },
  { label: 'history', icon: History, in: ['toolbar'], panel: HistoryPanel },
  { label: 'importReport', icon: FileCheck2, in: [], panel: ImportReportPanel },
  {
    label: 'sortUp',
    icon: ArrowDownAZ,
    in: ['contextSort'],
    for: 'editor',
    run: ({ session, text }) => sortByActiveColumn(session, true, text),
  },
  {
    label: 'sortDown',
    icon: ArrowUpZA,
    in: ['contextSort'],
    for: 'editor',
    run: ({ session, text }) => sortByActiveColumn(session, false, text),
  },
  { ...sort, in: ['contextSort'] },
  { ...filter, in: ['contextSort'] },
  {
    label: 'commentDots',
    icon: MessageSquare,
    in: ['contextCells'],
    for: 'editor',
    run: ({ session }) => session.requestOpen('comment'),
  },
  { label: 'linkDots', icon: Link2, in: ['contextCells'], for: 'editor', dialog: LinkDialog },
  {
    label: 'numberFormatDots',
    icon: Hash,
    in: ['contextMore'],
    for: 'editor',
    run: ({ state, commands }) =>
      state.dialog.set(<NumberFormatDialog commands={commands} onClose={state.closeDialog} />),
  },
  { label: 'newPivotDots', icon: Table2, in: ['contextMore'], for: 'editor', dialog: PivotDialog },
  {
    label: 'protectSelection',
    icon: Lock,
    in: ['contextMore'],
    for: 'editor',
    run: ({ session }) => protectSelection(session),
  },
  { label: 'shareDots', icon: Share2, in: ['document'], for: 'owner', dialog: ShareDocument },
  {
    label: 'renameDots',
    icon: Pencil,
    in: ['document'],
    for: 'editor',
    run: async ({ session, text }) => {
      await renameDocument(session.fileId, session.info.get().title, text);
      await session.readInfo();
    },
  },
  {
    label: 'makeCopy',
    icon: Copy,
    in: ['document'],
    run: async ({ session, text, openDocument }) =>
      openDocument(await copyDocument(session.fileId, session.info.get().title, text)),
  },
  { label: 'printDots', icon: Printer, in: ['document'], dialog: PrintDialog },
  {
    label: 'exportXlsx',
    icon: Download,
    in: ['document'],
    run: ({ session }) => exportDocument(session.fileId, 'xlsx'),
  },
  {
    label: 'exportCsv',
    icon: Download,
    in: ['document'],
    run: ({ session }) => exportDocument(session.fileId, 'csv', session.tab.id),
  },
  {
    label: 'findReplace',
    icon: Replace,
    in: ['document'],
    for: 'editor',
    run: ({ session, state }) => {
      state.replacing.set(true);
      session.panel.set('findReplace');
    },
  },
  {
    label: 'delete',
    icon: Trash2,
    in: ['document'],
    for: 'owner',
    danger: true,
    run: async ({ session, text, openDocument }) => {
      await deleteDocument(session.fileId, session.info.get().title, text);
      await openDocument(undefined);
    },
  },
];

const layers: readonly ComponentType<PanelProps>[] = [
  ProtectionLayer,
  HitLayer,
  PivotLayer,
  FilterLayer,
  KeptObjectsLayer,
  ImageLayer,
  ChartLayer,
  LinkCard,
  ValidationLayer,
  CommentLayer,
  OutlineLayer,
];

function ShareDocument({ onClose }: DialogProps): ReactNode {
  const { fileId, info } = useSession();
  return <ShareDialog kind="sheet" id={fileId} title={useStore(info).title} onClose={onClose} />;
}

/**
 * Registers the panels, their actions and overlays with the session, and renders the open dialog. It is loaded as a
 * separate chunk and rendered once per document.
 */
export function PanelRegistration({ commands }: { commands: GridCommands }): ReactNode {
  const { session, text } = useSheet();
  const navigate = useNavigate();
  const [state] = useState(() => new PanelState());
  const open = useStore(session.panel);
  const { role } = useStore(session.info);
  useCommandShortcut('f', () => find({ session, state }, false));
  useCommandShortcut('h', () => find({ session, state }, role !== 'viewer'));
  useEffect(() => {
    const add = (Layer: ComponentType<PanelProps>) => (): (() => void) => {
      const draw = (): ReactNode => <Layer state={state} />;
      session.overlays.set([...session.overlays.get(), draw]);
      return () => session.overlays.set(session.overlays.get().filter((one) => one !== draw));
    };
    // Selecting cells deselects the selected image. It also deselects the selected chart unless the chart's panel is
    // open.
    const deselect = (): void => {
      state.image.set(undefined);
      if (session.panel.get() !== 'chart') state.chart.set(undefined);
    };
    return runInTasks([...layers.map(add), () => session.selection.subscribe(deselect)]);
  }, [session, state]);
  useEffect(() => {
    const shown = panelActions.flatMap(({ label, title = label, panel: Panel }) =>
      Panel ? [{ name: title, title: text(title), render: () => <Panel state={state} /> }] : [],
    );
    session.panels.set(shown);
    return () => session.panels.set([]);
  }, [session, state, text]);
  // After an import with warnings, open the panel that lists the content that could not be converted.
  useEffect(() => {
    if (readImportReport(session.fileId).length > 0 && session.panel.get() === undefined)
      session.panel.set('importReport');
  }, [session]);
  useEffect(() => {
    const openDocument = (id: string | undefined): Promise<void> =>
      id === undefined ? navigate({ to: '/sheet' }) : navigate({ to: '/sheet/$id', params: { id } });
    const runAction = async ({ label, title = label, dialog: Dialog, run }: PanelAction): Promise<void> => {
      if (run) await run({ session, state, text, commands, openDocument });
      else if (Dialog) state.dialog.set(<Dialog state={state} onClose={state.closeDialog} />);
      else session.openPanel(title);
    };
    const isAllowed = (needed: PanelAction['for']): boolean =>
      needed === undefined || role === 'owner' || role === needed;
    const isInBar = (places: readonly ActionPlace[]): boolean => places.includes('toolbar') || places.includes('data');
    session.actions.set(
      panelActions
        .filter((action) => isAllowed(action.for) || isInBar(action.in))
        .map((action) => ({
          id: action.label,
          label: text(action.label),
          icon: action.icon,
          places: action.in,
          danger: action.danger,
          disabled: !isAllowed(action.for),
          pressed: action.panel && open === (action.title ?? action.label),
          run: () => void runAction(action).catch(showErrorToast),
        })),
    );
    return () => session.actions.set([]);
  }, [session, state, text, commands, navigate, open, role]);
  return useStore(state.dialog);
}
