import {
  AlignVerticalJustifyEnd,
  AlignVerticalJustifyStart,
  Grid2x2,
  Grid2x2X,
  Square,
  SquareDashed,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { ToolMenu } from '../tool-menu.tsx';
import type { Tools } from './tools.ts';

export function BorderMenu({ text, commands, entry, menu }: Tools): ReactNode {
  return (
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
  );
}
