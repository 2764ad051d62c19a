import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  AlignVerticalJustifyCenter,
  AlignVerticalJustifyEnd,
  AlignVerticalJustifyStart,
  Baseline,
  Columns3,
  Grid2x2,
  Grid2x2X,
  PaintBucket,
  Rows3,
  Square,
  SquareDashed,
  TableCellsMerge,
  TableCellsSplit,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { MessageKey, Translate } from '../../../i18n/use-translation.ts';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { ColorButton } from '../color-button.tsx';
import { cellName } from '../cell-geometry.ts';
import type { CellStyle } from '../grid/tile-cache.ts';
import { runAction, type ActionContext } from '../sheet-actions.ts';
import { ToolMenu } from '../tool-menu.tsx';

export interface ToolbarGroupProps {
  readonly text: Translate;
  readonly tools: ActionContext;
  readonly look: CellStyle;
  readonly locked: boolean;
  /** Wraps a command so that the grid gets the focus after the command. */
  readonly inGrid: (run: () => void) => () => void;
}

/** A menu entry: the label of an action and an optional icon. `null` is a separator, `false` is omitted. */
type Entry = null | false | readonly [label: MessageKey, icon?: ReactNode];

export function FormatMenu({
  group: { text, tools, locked, inGrid },
  label,
  pressed,
  entries,
  children,
}: {
  group: ToolbarGroupProps;
  label: MessageKey;
  pressed?: boolean;
  entries: readonly Entry[];
  children: ReactNode;
}): ReactNode {
  const { top, left } = tools.commands.range;
  return (
    <ToolMenu
      label={text(label)}
      pressed={pressed || undefined}
      disabled={locked}
      entries={entries.map(
        (entry) =>
          entry && {
            label: text(entry[0], { cell: cellName(top, left) }),
            icon: entry[1],
            run: inGrid(() => runAction(entry[0], tools)),
          },
      )}
    >
      {children}
    </ToolMenu>
  );
}

export const borderEntries: readonly Entry[] = [
  ['bordersAll', <Grid2x2 size={15} />],
  ['bordersOuter', <Square size={15} />],
  ['bordersThick', <Square size={15} strokeWidth={3} />],
  ['bordersTop', <AlignVerticalJustifyStart size={15} />],
  ['bordersBottom', <AlignVerticalJustifyEnd size={15} />],
  ['bordersDouble', <AlignVerticalJustifyEnd size={15} />],
  ['bordersDashed', <SquareDashed size={15} />],
  null,
  ['bordersNone', <Grid2x2X size={15} />],
];

export const alignEntries: readonly Entry[] = [
  ['alignLeft', <AlignLeft size={15} />],
  ['alignCenter', <AlignCenter size={15} />],
  ['alignRight', <AlignRight size={15} />],
  ['alignNone'],
  null,
  ['alignTop', <AlignVerticalJustifyStart size={15} />],
  ['alignMiddle', <AlignVerticalJustifyCenter size={15} />],
  ['alignBottom', <AlignVerticalJustifyEnd size={15} />],
];

export const mergeEntries: readonly Entry[] = [
  ['mergeAll', <TableCellsMerge size={15} />],
  ['mergeRows', <Rows3 size={15} />],
  ['mergeColumns', <Columns3 size={15} />],
  null,
  ['unmerge', <TableCellsSplit size={15} />],
];

const families =
  'Arial,Calibri,Cambria,Courier New,Georgia,Tahoma,Times New Roman,Verdana,SimSun,Microsoft YaHei,KaiTi'.split(',');
const sizes = [8, 9, 10, 11, 12, 14, 18, 24, 36] as const;

/** A menu of common fonts and the cell's current font, and a menu of font sizes. */
export function FontMenus({ text, tools: { commands }, look, locked, inGrid }: ToolbarGroupProps): ReactNode {
  const family = (label: string, font_family: string): MenuEntry => ({
    label,
    run: inGrid(() => commands.format({ font_family })),
  });
  const own = look.fontFamily === undefined ? [] : [look.fontFamily];
  const shown = look.fontFamily ?? text('fontStandard');
  return (
    <>
      <ToolMenu
        label={text('fontFamily')}
        value={shown}
        className="px-1.5"
        disabled={locked}
        entries={[
          family(text('fontStandard'), ''),
          null,
          ...[...new Set([...families, ...own])].map((name) => family(name, name)),
        ]}
      >
        <span className="w-16 truncate text-left text-[0.867rem]">{shown}</span>
      </ToolMenu>
      <ToolMenu
        label={text('fontSize')}
        value={String(look.fontSize ?? 10)}
        className="px-1.5"
        disabled={locked}
        entries={sizes.map((size) => ({
          label: String(size),
          run: inGrid(() => commands.format({ font_size: size })),
        }))}
      >
        <span className="w-5 text-center text-[0.867rem]">{look.fontSize ?? 10}</span>
      </ToolMenu>
    </>
  );
}

export function ColorButtons({ text, tools: { commands }, locked, inGrid }: ToolbarGroupProps): ReactNode {
  return (
    <>
      <ColorButton
        label={text('textColor')}
        icon={<Baseline size={15} />}
        initial="A8322A"
        disabled={locked}
        onChoose={(color) => inGrid(() => commands.format({ font_color: color }))()}
      />
      <ColorButton
        label={text('fillColor')}
        icon={<PaintBucket size={15} />}
        initial="FBE6A3"
        disabled={locked}
        onChoose={(color) => inGrid(() => commands.format({ bg_color: color }))()}
      />
    </>
  );
}
