import type { ReactNode } from 'react';
import { Store } from '../../ui/store.ts';

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
  readonly dialog = new Store<ReactNode>(null);

  closeDialog = (): void => this.dialog.set(null);
}
