import type { ReactNode } from 'react';
import { Menu, type MenuEntry } from '../ui/menu.tsx';
import { ToolButton } from './tool-button.tsx';

interface Props {
  readonly label: string;
  readonly value?: string;
  readonly entries: readonly (MenuEntry | null | false)[];
  readonly disabled: boolean;
  readonly pressed?: boolean | undefined;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A button of the tool bar that opens a menu; the focus goes back to the cells. */
export function ToolMenu({ entries, children, ...button }: Props): ReactNode {
  return (
    <Menu
      align="start"
      entries={entries}
      trigger={
        <ToolButton {...button} opens>
          {children}
        </ToolButton>
      }
    />
  );
}
