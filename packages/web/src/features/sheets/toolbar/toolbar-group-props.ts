import type { ReactNode } from 'react';
import type { useTranslation } from '../../../i18n/use-translation.ts';
import type { MenuEntry } from '../../../ui/menu.tsx';
import type { GridCommands } from '../grid-commands.ts';
import type { CellStyle } from '../grid/tile-cache.ts';

/** Props shared by the groups of the tool bar. */
export interface ToolbarGroupProps {
  readonly text: ReturnType<typeof useTranslation>;
  readonly commands: GridCommands;
  /** Style of the active cell. */
  readonly look: CellStyle;
  readonly locked: boolean;
  /** Wraps a command so that the grid gets the focus back. */
  readonly inGrid: (run: () => void) => () => void;
  readonly entry: (label: string, run: () => void, icon?: ReactNode) => MenuEntry;
  readonly menu: { readonly disabled: boolean };
}
