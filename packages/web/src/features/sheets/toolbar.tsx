import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  Bold,
  Grid2x2,
  Italic,
  PanelTop,
  Redo2,
  RemoveFormatting,
  Strikethrough,
  TableCellsMerge,
  Underline,
  Undo2,
  WrapText,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { MessageKey } from '../../i18n/use-translation.ts';
import { useStore } from '../../ui/store.ts';
import { runAction, shortcutOf, type ActionContext } from './sheet-actions.ts';
import { useSheet, type Action } from './sheet-session.ts';
import { ToolButton } from './tool-button.tsx';
import { ToolMenu, toMenuEntry } from './tool-menu.tsx';
import {
  ColorButtons,
  FontMenus,
  FormatMenu,
  alignEntries,
  borderEntries,
  mergeEntries,
  type ToolbarGroupProps,
} from './toolbar/format-menus.tsx';
import { FittingToolbar, type ToolGroup } from './toolbar/fitting-toolbar.tsx';
import { NumberTools } from './toolbar/number-tools.tsx';

/** The toolbar for the selected cells, with named groups of buttons. */
export function Toolbar({ tools }: { tools: ActionContext }): ReactNode {
  const { session, text } = useSheet();
  const { grid, typing } = tools;
  const { active } = useStore(session.selection);
  useStore(grid.changes);
  useStore(session.info);
  const undo = useStore(session.undoState);
  const registered = useStore(session.actions);
  const inBar = registered.filter(({ places }) => places.includes('toolbar'));
  const inMenu = registered.filter(({ places }) => places.includes('data'));
  const locked = !session.mayWrite;
  const inGrid = (run: () => void) => (): void => {
    run();
    typing.takeFocus();
  };
  const { look } = grid.model.cell(active.row, active.col);
  const { horizontalAlign } = look;
  const AlignIcon = horizontalAlign === 'center' ? AlignCenter : horizontalAlign === 'right' ? AlignRight : AlignLeft;
  const merged = grid.model.mergeAt(active.row, active.col) !== undefined;
  const frozen = grid.model.frozenRows > 0 || grid.model.frozenCols > 0;
  const group: ToolbarGroupProps = { text, tools, look, locked, inGrid };
  const button = (label: MessageKey, Icon: LucideIcon, pressed?: boolean, disabled = locked): ReactNode => {
    const shortcut = shortcutOf(label);
    return (
      <ToolButton
        label={shortcut === undefined ? text(label) : `${text(label)} (${shortcut})`}
        pressed={pressed}
        disabled={disabled}
        onClick={inGrid(() => runAction(label, tools))}
      >
        <Icon size={16} />
      </ToolButton>
    );
  };
  const registeredButton = ({ id, icon: Icon, label, pressed, disabled, run }: Action, word: boolean): ReactNode => (
    <ToolButton
      key={id}
      label={label}
      word={word ? text(shortWords[id] ?? id) : undefined}
      pressed={pressed}
      disabled={disabled ?? false}
      onClick={run}
    >
      <Icon size={16} />
    </ToolButton>
  );
  const registeredIn = (ids: readonly MessageKey[], word: boolean): ReactNode[] =>
    inBar.filter(({ id }) => ids.includes(id)).map((action) => registeredButton(action, word));
  const groups: readonly ToolGroup[] = [
    {
      name: 'groupEdit',
      draw: () => (
        <>
          {button('undo', Undo2, undefined, locked || !undo.canUndo)}
          {button('redo', Redo2, undefined, locked || !undo.canRedo)}
        </>
      ),
    },
    { name: 'groupNumber', draw: () => <NumberTools {...group} /> },
    { name: 'groupFont', draw: () => <FontMenus {...group} /> },
    {
      name: 'groupText',
      draw: () => (
        <>
          {button('bold', Bold, look.bold === true)}
          {button('italic', Italic, look.italic === true)}
          {button('underline', Underline, look.underline !== undefined)}
          {button('strike', Strikethrough, look.strikeThrough === true)}
          <ColorButtons {...group} />
          <FormatMenu group={group} label="borders" entries={borderEntries}>
            <Grid2x2 size={16} />
          </FormatMenu>
        </>
      ),
    },
    {
      name: 'align',
      draw: () => (
        <>
          <FormatMenu group={group} label="align" entries={alignEntries}>
            <AlignIcon size={16} />
          </FormatMenu>
          {button('wrap', WrapText, look.wrapText === true)}
          <FormatMenu group={group} label="merge" pressed={merged} entries={mergeEntries}>
            <TableCellsMerge size={16} />
          </FormatMenu>
        </>
      ),
    },
    {
      name: 'groupView',
      draw: () => (
        <>
          <FormatMenu
            group={group}
            label="freeze"
            pressed={frozen}
            entries={[['freezeRow'], ['freezeColumn'], ['freezeBoth'], frozen && null, frozen && ['unfreeze']]}
          >
            <PanelTop size={16} />
          </FormatMenu>
          {button('clearFormat', RemoveFormatting)}
        </>
      ),
    },
    { name: 'groupInsert', draw: (word) => registeredIn(inserting, word) },
    {
      name: 'dataMenu',
      draw: (word) => (
        <>
          {inMenu.length > 0 && (
            <ToolMenu
              label={text('dataMenu')}
              disabled={false}
              pressed={inMenu.some(({ pressed }) => pressed) || undefined}
              entries={inMenu.map(toMenuEntry)}
            >
              <span className="px-1 text-[0.867rem]">{text('dataMenu')}</span>
            </ToolMenu>
          )}
          {registeredIn(arranging, word)}
        </>
      ),
    },
    {
      name: 'groupReview',
      draw: (word) =>
        inBar
          .filter(({ id }) => !inserting.includes(id) && !arranging.includes(id))
          .map((action) => registeredButton(action, word)),
    },
  ];
  const shown = groups.filter(({ name }) => registered.length > 0 || !lateGroups.includes(name));
  return (
    <FittingToolbar
      label={text('format')}
      groups={shown}
      contentKey={`${text('format')} ${registered.length} ${session.info.get().role}`}
    />
  );
}

/**
 * Panel actions in the toolbar groups "Insert" and "Data". All other panel actions are in the group "Find and review".
 * These three groups (`lateGroups`) are hidden until the panel actions are registered.
 */
const inserting: readonly MessageKey[] = ['insertChart', 'insertImage', 'link'];
const arranging: readonly MessageKey[] = ['filter', 'sortDots', 'pivotTable', 'protectedRanges'];
const lateGroups: readonly MessageKey[] = ['groupInsert', 'dataMenu', 'groupReview'];

/**
 * Short texts that toolbar buttons show beside their icons, by the key of the button's full label. Each text is part of
 * that label.
 */
const shortWords: Partial<Record<MessageKey, MessageKey>> = {
  insertChart: 'chart',
  insertImage: 'imageWord',
  sortDots: 'sort',
  pivotTable: 'pivotWord',
  protectedRanges: 'protectedWord',
  findReplace: 'findWhat',
};
