import type { ReactNode } from 'react';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import type { Action } from './sheet-session.ts';
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

/** A toolbar button with a menu. When the menu closes, the focus returns to the cells. */
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

export function toMenuEntry({ icon: Icon, ...action }: Action): MenuEntry {
  return { ...action, icon: <Icon size={15} /> };
}
