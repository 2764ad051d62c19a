import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  AlignVerticalJustifyCenter,
  AlignVerticalJustifyEnd,
  AlignVerticalJustifyStart,
  Baseline,
  Bold,
  Columns3,
  Grid2x2,
  Grid2x2X,
  Italic,
  PaintBucket,
  PanelTop,
  Redo2,
  RemoveFormatting,
  Rows3,
  Square,
  SquareDashed,
  Strikethrough,
  TableCellsMerge,
  TableCellsSplit,
  Underline,
  Undo2,
  WrapText,
} from 'lucide-react';
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { commandKey } from '../lib/keys.ts';
import { useText } from '../text/use-text.ts';
import type { MenuEntry } from '../ui/menu.tsx';
import { useStore } from '../ui/store.ts';
import { ColorButton } from './color-button.tsx';
import { cellName } from './geometry.ts';
import type { GridActions, GridParts } from './grid/grid-view.tsx';
import { useSession } from './session.ts';
import { Divider, ToolButton } from './tool-button.tsx';
import { ToolMenu } from './tool-menu.tsx';

const sizes = [8, 9, 10, 11, 12, 14, 18, 24, 36] as const;
const currencies = { en: '$#,##0.00', zh: '¥#,##0.00' } as const;

/** One row of tools that act on the selected cells; arrow keys move along it. */
export function Toolbar({ parts, actions }: { parts: GridParts; actions: GridActions }): ReactNode {
  const text = useText();
  const session = useSession();
  const bar = useRef<HTMLDivElement>(null);
  const { grid, commands, typing } = parts;
  const { active, range } = useStore(session.selection);
  useStore(grid.changes);
  useStore(session.info);
  const undo = useStore(session.undoState);
  const registered = useStore(session.toolbar);
  const { look } = grid.model.cell(active.row, active.col);
  const frozen = grid.model.frozenRows > 0 || grid.model.frozenCols > 0;
  const locked = !session.mayWrite;
  const then = (run: () => void) => (): void => {
    run();
    typing.takeFocus();
  };
  const entry = (label: string, run: () => void, icon?: ReactNode): MenuEntry => ({ label, run: then(run), icon });
  const number = (pattern: string) => (): void => commands.format({ number_format_pattern: pattern });
  const decimals = (more: number): void =>
    commands.format({ number_format_pattern: withDecimals(look.numberFormat ?? '0', more) });
  const menu = { disabled: locked, onClosed: () => typing.takeFocus() };
  const merged = grid.model.mergeAt(active.row, active.col) !== undefined;
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={text('format')}
      className="scroll-thin flex shrink-0 items-center gap-0.5 overflow-x-auto border-b border-line bg-paper px-2 py-1"
      onKeyDown={(event) => walk(event, bar.current)}
    >
      <ToolButton
        label={`${text('undo')} (${commandKey}+Z)`}
        disabled={locked || !undo.canUndo}
        onClick={then(actions.undo)}
      >
        <Undo2 size={16} />
      </ToolButton>
      <ToolButton
        label={`${text('redo')} (${commandKey}+Y)`}
        disabled={locked || !undo.canRedo}
        onClick={then(actions.redo)}
      >
        <Redo2 size={16} />
      </ToolButton>
      <Divider />
      <ToolMenu
        label={text('numberFormat')}
        className="w-24 !justify-between px-2"
        {...menu}
        entries={[
          entry(text('formatGeneral'), number('')),
          entry(`${text('formatNumber')}  1,234.56`, number('#,##0.00')),
          entry(`${text('formatInteger')}  1,235`, number('#,##0')),
          entry(`${text('formatPercent')}  12.34%`, number('0.00%')),
          entry(`${text('formatCurrency')}  $1,234.56`, number(currencies.en)),
          entry(`${text('formatCurrency')}  ¥1,234.56`, number(currencies.zh)),
          entry(`${text('formatScientific')}  1.23E+03`, number('0.00E+00')),
          null,
          entry(`${text('formatDate')}  2026-05-01`, number('yyyy-mm-dd')),
          entry(`${text('formatTime')}  14:30`, number('hh:mm')),
          entry(`${text('formatDateTime')}  2026-05-01 14:30`, number('yyyy-mm-dd hh:mm')),
          null,
          entry(text('formatText'), number('@')),
        ]}
      >
        <span className="truncate text-[0.867rem]">{nameOfFormat(look.numberFormat, text)}</span>
      </ToolMenu>
      <ToolButton
        label={text('fewerDecimals')}
        disabled={locked}
        onClick={then(() => decimals(-1))}
        className="text-xs font-medium"
      >
        .0←
      </ToolButton>
      <ToolButton
        label={text('moreDecimals')}
        disabled={locked}
        onClick={then(() => decimals(1))}
        className="text-xs font-medium"
      >
        .00→
      </ToolButton>
      <Divider />
      <ToolMenu
        label={text('fontSize')}
        className="px-1.5"
        {...menu}
        entries={sizes.map((size) => entry(String(size), () => commands.format({ font_size: size })))}
      >
        <span className="w-5 text-center text-[0.867rem]">{look.fontSize ?? 10}</span>
      </ToolMenu>
      <Toggle
        label={`${text('bold')} (${commandKey}+B)`}
        on={look.bold === true}
        disabled={locked}
        run={then(() => commands.toggle('bold'))}
      >
        <Bold size={16} />
      </Toggle>
      <Toggle
        label={`${text('italic')} (${commandKey}+I)`}
        on={look.italic === true}
        disabled={locked}
        run={then(() => commands.toggle('italic'))}
      >
        <Italic size={16} />
      </Toggle>
      <Toggle
        label={`${text('underline')} (${commandKey}+U)`}
        on={look.underline !== undefined}
        disabled={locked}
        run={then(() => commands.toggle('underline'))}
      >
        <Underline size={16} />
      </Toggle>
      <Toggle
        label={text('strike')}
        on={look.strikeThrough === true}
        disabled={locked}
        run={then(() => commands.toggle('strike'))}
      >
        <Strikethrough size={16} />
      </Toggle>
      <ColorButton
        label={text('textColor')}
        icon={<Baseline size={15} />}
        initial="A8322A"
        disabled={locked}
        onChoose={(color) => then(() => commands.format({ font_color: color }))()}
      />
      <ColorButton
        label={text('fillColor')}
        icon={<PaintBucket size={15} />}
        initial="FBE6A3"
        disabled={locked}
        onChoose={(color) => then(() => commands.format({ bg_color: color }))()}
      />
      <ToolMenu
        label={text('borders')}
        {...menu}
        entries={[
          entry(text('bordersAll'), () => commands.borders([0, 1, 2, 3, 4, 5], 1, '000000'), <Grid2x2 size={15} />),
          entry(text('bordersOuter'), () => commands.borders([0, 1, 2, 3], 1, '000000'), <Square size={15} />),
          entry(
            text('bordersThick'),
            () => commands.borders([0, 1, 2, 3], 5, '000000'),
            <Square size={15} strokeWidth={3} />,
          ),
          entry(text('bordersTop'), () => commands.borders([0], 1, '000000'), <AlignVerticalJustifyStart size={15} />),
          entry(text('bordersBottom'), () => commands.borders([1], 1, '000000'), <AlignVerticalJustifyEnd size={15} />),
          entry(text('bordersDouble'), () => commands.borders([1], 6, '000000'), <AlignVerticalJustifyEnd size={15} />),
          entry(
            text('bordersDashed'),
            () => commands.borders([0, 1, 2, 3, 4, 5], 3, '666666'),
            <SquareDashed size={15} />,
          ),
          null,
          entry(text('bordersNone'), () => commands.borders([], 0, ''), <Grid2x2X size={15} />),
        ]}
      >
        <Grid2x2 size={16} />
      </ToolMenu>
      <Divider />
      <ToolMenu
        label={text('align')}
        {...menu}
        entries={[
          entry(text('alignLeft'), () => commands.format({ horizontal_align: 'left' }), <AlignLeft size={15} />),
          entry(text('alignCenter'), () => commands.format({ horizontal_align: 'center' }), <AlignCenter size={15} />),
          entry(text('alignRight'), () => commands.format({ horizontal_align: 'right' }), <AlignRight size={15} />),
          entry(text('alignNone'), () => commands.format({ horizontal_align: '' })),
          null,
          entry(
            text('alignTop'),
            () => commands.format({ vertical_align: 'top' }),
            <AlignVerticalJustifyStart size={15} />,
          ),
          entry(
            text('alignMiddle'),
            () => commands.format({ vertical_align: 'center' }),
            <AlignVerticalJustifyCenter size={15} />,
          ),
          entry(
            text('alignBottom'),
            () => commands.format({ vertical_align: 'bottom' }),
            <AlignVerticalJustifyEnd size={15} />,
          ),
        ]}
      >
        {look.horizontalAlign === 'center' ? (
          <AlignCenter size={16} />
        ) : look.horizontalAlign === 'right' ? (
          <AlignRight size={16} />
        ) : (
          <AlignLeft size={16} />
        )}
      </ToolMenu>
      <Toggle
        label={text('wrap')}
        on={look.wrapText === true}
        disabled={locked}
        run={then(() => commands.toggle('wrap'))}
      >
        <WrapText size={16} />
      </Toggle>
      <ToolMenu
        label={text('merge')}
        pressed={merged || undefined}
        {...menu}
        entries={[
          entry(text('mergeAll'), () => commands.merge('all'), <TableCellsMerge size={15} />),
          entry(text('mergeRows'), () => commands.merge('rows'), <Rows3 size={15} />),
          entry(text('mergeColumns'), () => commands.merge('columns'), <Columns3 size={15} />),
          null,
          entry(text('unmerge'), () => commands.merge('none'), <TableCellsSplit size={15} />),
        ]}
      >
        <TableCellsMerge size={16} />
      </ToolMenu>
      <ToolMenu
        label={text('freeze')}
        pressed={frozen || undefined}
        {...menu}
        entries={[
          entry(text('freezeRow'), () => commands.freeze(1, 0)),
          entry(text('freezeColumn'), () => commands.freeze(0, 1)),
          entry(text('freezeBoth', { cell: cellName(range.top, range.left) }), () =>
            commands.freeze(range.top, range.left),
          ),
          frozen && null,
          frozen && entry(text('unfreeze'), () => commands.freeze(0, 0)),
        ]}
      >
        <PanelTop size={16} />
      </ToolMenu>
      <ToolButton label={text('clearFormat')} disabled={locked} onClick={then(() => commands.clearStyles())}>
        <RemoveFormatting size={16} />
      </ToolButton>
      {registered.length > 0 && <Divider />}
      {registered.map((action) => (
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

function Toggle({
  label,
  on,
  disabled,
  run,
  children,
}: {
  label: string;
  on: boolean;
  disabled: boolean;
  run: () => void;
  children: ReactNode;
}): ReactNode {
  return (
    <ToolButton label={label} pressed={on} disabled={disabled} onClick={run}>
      {children}
    </ToolButton>
  );
}

function walk(event: KeyboardEvent, bar: HTMLElement | null): void {
  if (!bar || (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft')) return;
  const buttons = [...bar.querySelectorAll<HTMLElement>('button:not(:disabled)')];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  event.preventDefault();
  buttons[(at + (event.key === 'ArrowRight' ? 1 : -1) + buttons.length) % buttons.length]?.focus();
}

function nameOfFormat(pattern: string | undefined, text: ReturnType<typeof useText>): string {
  if (pattern === undefined || pattern === 'General') return text('formatGeneral');
  if (pattern === '@') return text('formatText');
  if (pattern.includes('%')) return text('formatPercent');
  if (/[$¥€£]/.test(pattern)) return text('formatCurrency');
  if (/[yd]/i.test(pattern)) return text('formatDate');
  if (/h/i.test(pattern)) return text('formatTime');
  if (/E\+/.test(pattern)) return text('formatScientific');
  return text('formatNumber');
}

/** One decimal more or less in every section of a number format. */
function withDecimals(pattern: string, more: number): string {
  return pattern
    .split(';')
    .map((section) =>
      section.replace(/0(?:\.(0+))?(?!.*0)/, (_whole, decimals: string | undefined) => {
        const count = Math.max(0, Math.min(15, (decimals?.length ?? 0) + more));
        return count === 0 ? '0' : `0.${'0'.repeat(count)}`;
      }),
    )
    .join(';');
}
