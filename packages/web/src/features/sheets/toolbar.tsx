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
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import type { MessageKey } from '../../i18n/use-translation.ts';
import { useStore } from '../../ui/store.ts';
import { runAction, shortcutOf, type ActionContext } from './sheet-actions.ts';
import { useSheet } from './sheet-session.ts';
import { Divider, ToolButton } from './tool-button.tsx';
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
import { NumberTools } from './toolbar/number-tools.tsx';

/** The tool bar for the selected cells. Arrow keys move between its buttons. */
export function Toolbar({ tools }: { tools: ActionContext }): ReactNode {
  const { session, text } = useSheet();
  const bar = useRef<HTMLDivElement>(null);
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
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={text('format')}
      data-part
      className="scroll-thin flex shrink-0 items-center gap-0.5 overflow-x-auto border-b border-line bg-paper px-2 py-1"
      onKeyDown={(event) => moveFocus(event, bar.current)}
    >
      {button('undo', Undo2, undefined, locked || !undo.canUndo)}
      {button('redo', Redo2, undefined, locked || !undo.canRedo)}
      <Divider />
      <NumberTools {...group} />
      <Divider />
      <FontMenus {...group} />
      {button('bold', Bold, look.bold === true)}
      {button('italic', Italic, look.italic === true)}
      {button('underline', Underline, look.underline !== undefined)}
      {button('strike', Strikethrough, look.strikeThrough === true)}
      <ColorButtons {...group} />
      <FormatMenu group={group} label="borders" entries={borderEntries}>
        <Grid2x2 size={16} />
      </FormatMenu>
      <Divider />
      <FormatMenu group={group} label="align" entries={alignEntries}>
        <AlignIcon size={16} />
      </FormatMenu>
      {button('wrap', WrapText, look.wrapText === true)}
      <FormatMenu group={group} label="merge" pressed={merged} entries={mergeEntries}>
        <TableCellsMerge size={16} />
      </FormatMenu>
      <FormatMenu
        group={group}
        label="freeze"
        pressed={frozen}
        entries={[['freezeRow'], ['freezeColumn'], ['freezeBoth'], frozen && null, frozen && ['unfreeze']]}
      >
        <PanelTop size={16} />
      </FormatMenu>
      {button('clearFormat', RemoveFormatting)}
      {registered.length > 0 && <Divider />}
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
      {inBar.map(({ id, icon: Icon, label, pressed, disabled, run }) => (
        <ToolButton key={id} label={label} pressed={pressed} disabled={disabled ?? false} onClick={run}>
          <Icon size={16} />
        </ToolButton>
      ))}
    </div>
  );
}

function moveFocus(event: KeyboardEvent, bar: HTMLElement | null): void {
  if (!bar || (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft')) return;
  const buttons = [...bar.querySelectorAll<HTMLElement>('button:not(:disabled)')];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  event.preventDefault();
  buttons[(at + (event.key === 'ArrowRight' ? 1 : -1) + buttons.length) % buttons.length]?.focus();
}
