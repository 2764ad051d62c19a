import type { ReactNode } from 'react';
import type { useText } from '../../text/use-text.ts';
import type { MenuEntry } from '../../ui/menu.tsx';
import type { Commands } from '../commands.ts';
import type { Look } from '../grid/tiles.ts';

/** Props shared by the groups of the tool bar. */
export interface Tools {
  readonly text: ReturnType<typeof useText>;
  readonly commands: Commands;
  /** Style of the active cell. */
  readonly look: Look;
  readonly locked: boolean;
  /** Wraps a command so that the grid gets the focus back. */
  readonly inGrid: (run: () => void) => () => void;
  readonly entry: (label: string, run: () => void, icon?: ReactNode) => MenuEntry;
  readonly menu: { readonly disabled: boolean };
}
