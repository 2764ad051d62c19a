import { Redo2, RemoveFormatting, Undo2 } from 'lucide-react';
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { commandKeyLabel } from '../../lib/keyboard-shortcuts.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useStore } from '../../ui/store.ts';
import type { GridActions, GridControllers } from './grid/grid-surface.tsx';
import { useSession } from './sheet-session.ts';
import { Divider, ToolButton } from './tool-button.tsx';
import { ToolMenu } from './tool-menu.tsx';
import { AlignTools } from './toolbar/align-tools.tsx';
import { BorderMenu } from './toolbar/border-menu.tsx';
import { FontTools } from './toolbar/font-tools.tsx';
import { FreezeMenu, MergeMenu } from './toolbar/layout-menus.tsx';
import { NumberTools } from './toolbar/number-tools.tsx';
import type { ToolbarGroupProps } from './toolbar/toolbar-group-props.ts';

/** The tool bar for the selected cells; arrow keys move between its buttons. */
export function Toolbar({ parts, actions }: { parts: GridControllers; actions: GridActions }): ReactNode {
  const text = useTranslation();
  const session = useSession();
  const bar = useRef<HTMLDivElement>(null);
  const { grid, commands, typing } = parts;
  const { active, range } = useStore(session.selection);
  useStore(grid.changes);
  useStore(session.info);
  const undo = useStore(session.undoState);
  const registered = useStore(session.toolbar);
  const inMenu = registered.filter(({ menu }) => menu === 'data');
  const frozen = grid.model.frozenRows > 0 || grid.model.frozenCols > 0;
  const locked = !session.mayWrite;
  const inGrid = (run: () => void) => (): void => {
    run();
    typing.takeFocus();
  };
  const tools: ToolbarGroupProps = {
    text,
    commands,
    look: grid.model.cell(active.row, active.col).look,
    locked,
    inGrid,
    entry: (label, run, icon) => ({ label, run: inGrid(run), icon }),
    menu: { disabled: locked },
  };
  const merged = grid.model.mergeAt(active.row, active.col) !== undefined;
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={text('format')}
      data-part
      className="scroll-thin flex shrink-0 items-center gap-0.5 overflow-x-auto border-b border-line bg-paper px-2 py-1"
      onKeyDown={(event) => moveFocus(event, bar.current)}
    >
      <ToolButton
        label={`${text('undo')} (${commandKeyLabel}+Z)`}
        disabled={locked || !undo.canUndo}
        onClick={inGrid(actions.undo)}
      >
        <Undo2 size={16} />
      </ToolButton>
      <ToolButton
        label={`${text('redo')} (${commandKeyLabel}+Y)`}
        disabled={locked || !undo.canRedo}
        onClick={inGrid(actions.redo)}
      >
        <Redo2 size={16} />
      </ToolButton>
      <Divider />
      <NumberTools {...tools} />
      <Divider />
      <FontTools {...tools} />
      <BorderMenu {...tools} />
      <Divider />
      <AlignTools {...tools} />
      <MergeMenu tools={tools} merged={merged} />
      <FreezeMenu tools={tools} frozen={frozen} range={range} />
      <ToolButton label={text('clearFormat')} disabled={locked} onClick={inGrid(() => commands.clearStyles())}>
        <RemoveFormatting size={16} />
      </ToolButton>
      {registered.length > 0 && <Divider />}
      {inMenu.length > 0 && (
        <ToolMenu
          label={text('dataMenu')}
          disabled={false}
          pressed={inMenu.some(({ pressed }) => pressed) || undefined}
          entries={inMenu.map(({ label, icon, run }) => ({ label, icon, run }))}
        >
          <span className="px-1 text-[0.867rem]">{text('dataMenu')}</span>
        </ToolMenu>
      )}
      {registered
        .filter(({ menu }) => menu === undefined)
        .map((action) => (
          <ToolButton
            key={action.id}
            label={action.label}
            pressed={action.pressed}
            disabled={action.disabled ?? false}
            onClick={action.run}
          >
            {action.icon}
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
