import type { ReactNode } from 'react';
import { Store } from '../../ui/store.ts';

export interface Hit {
  readonly sheet_id: string;
  readonly row: number;
  readonly col: number;
}

/** What the panels of one open document share. */
export class PanelState {
  /** The chart that the chart panel edits; undefined: a new one. */
  readonly chart = new Store<string | undefined>(undefined);
  readonly image = new Store<string | undefined>(undefined);
  readonly pivot = new Store<string | undefined>(undefined);
  /** Whether the find panel shows its second line. */
  readonly replacing = new Store(false);
  /** Grows whenever finding is asked for again: the field takes the focus. */
  readonly findAsked = new Store(0);
  /** What the find panel found last; emptied when it closes. */
  readonly hits = new Store<readonly Hit[]>([]);
  readonly dialog = new Store<ReactNode>(null);

  closeDialog = (): void => this.dialog.set(null);
}
