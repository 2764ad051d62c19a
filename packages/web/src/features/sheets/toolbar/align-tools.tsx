import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  AlignVerticalJustifyCenter,
  AlignVerticalJustifyEnd,
  AlignVerticalJustifyStart,
  WrapText,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { ToolButton } from '../tool-button.tsx';
import { ToolMenu } from '../tool-menu.tsx';
import type { ToolbarGroupProps } from './toolbar-group-props.ts';

export function AlignTools({ text, commands, look, locked, inGrid, entry, menu }: ToolbarGroupProps): ReactNode {
  return (
    <>
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
      <ToolButton
        label={text('wrap')}
        pressed={look.wrapText === true}
        disabled={locked}
        onClick={inGrid(() => commands.toggle('wrap'))}
      >
        <WrapText size={16} />
      </ToolButton>
    </>
  );
}
