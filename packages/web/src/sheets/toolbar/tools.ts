import type { ReactNode } from 'react';
import type { useText } from '../../text/use-text.ts';
import type { MenuEntry } from '../../ui/menu.tsx';
import type { Commands } from '../commands.ts';
import type { Look } from '../grid/tiles.ts';

/** What the groups of the tool bar share. */
export interface Tools {
  readonly text: ReturnType<typeof useText>;
  readonly commands: Commands;
  /** Of the active cell. */
  readonly look: Look;
  readonly locked: boolean;
  /** The same, and the grid has the focus again. */
  readonly inGrid: (run: () => void) => () => void;
  readonly entry: (label: string, run: () => void, icon?: ReactNode) => MenuEntry;
  readonly menu: { readonly disabled: boolean };
}
