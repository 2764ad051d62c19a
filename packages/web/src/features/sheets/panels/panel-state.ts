import type { ReactNode } from 'react';
import { Store } from '../../../ui/store.ts';

export interface CellHit {
  readonly sheet_id: string;
  readonly row: number;
  readonly col: number;
}

export class PanelState {
  /** Id of the chart being edited; undefined for a new chart. */
  readonly chart = new Store<string | undefined>(undefined);
  readonly image = new Store<string | undefined>(undefined);
  readonly pivot = new Store<string | undefined>(undefined);
  readonly replacing = new Store(false);
  /** Incremented by each request to search, which moves the focus to the search field. */
  readonly findAsked = new Store(0);
  /** The latest search hits, which are highlighted in the grid. Cleared when the find panel closes. */
  readonly hits = new Store<readonly CellHit[]>([]);
  readonly dialog = new Store<ReactNode>(null);

  closeDialog = (): void => this.dialog.set(null);
}

export interface PanelProps {
  readonly state: PanelState;
}

export interface DialogProps extends PanelProps {
  readonly onClose: () => void;
}
