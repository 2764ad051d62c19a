import {
  AlignVerticalJustifyEnd,
  AlignVerticalJustifyStart,
  Grid2x2,
  Grid2x2X,
  Square,
  SquareDashed,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { MenuEntry } from '../../../ui/menu.tsx';
import type { GridCommands } from '../grid-commands.ts';
import { ToolMenu } from '../tool-menu.tsx';
import type { ToolbarGroupProps } from './toolbar-group-props.ts';

type Name = Parameters<ToolbarGroupProps['text']>[0];
type Positions = Parameters<GridCommands['borders']>[0];
type Style = Parameters<GridCommands['borders']>[1];

export function BorderMenu({ text, commands, entry, menu }: ToolbarGroupProps): ReactNode {
  const all = [0, 1, 2, 3, 4, 5] as const;
  const outer = [0, 1, 2, 3] as const;
  const border = (name: Name, positions: Positions, style: Style, icon: ReactNode, color = '000000'): MenuEntry =>
    entry(text(name), () => commands.borders(positions, style, color), icon);
  return (
    <ToolMenu
      label={text('borders')}
      {...menu}
      entries={[
        border('bordersAll', all, 1, <Grid2x2 size={15} />),
        border('bordersOuter', outer, 1, <Square size={15} />),
        border('bordersThick', outer, 5, <Square size={15} strokeWidth={3} />),
        border('bordersTop', [0], 1, <AlignVerticalJustifyStart size={15} />),
        border('bordersBottom', [1], 1, <AlignVerticalJustifyEnd size={15} />),
        border('bordersDouble', [1], 6, <AlignVerticalJustifyEnd size={15} />),
        border('bordersDashed', all, 3, <SquareDashed size={15} />, '666666'),
        null,
        border('bordersNone', [], 0, <Grid2x2X size={15} />),
      ]}
    >
      <Grid2x2 size={16} />
    </ToolMenu>
  );
}
