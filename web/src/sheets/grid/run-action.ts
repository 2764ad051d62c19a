import { shownBeside } from '../shown-tabs.ts';
import type { Grid } from './grid.ts';

/** Goes on to the next sub-sheet that is shown, or back. */
export function showTab({ session }: Grid, by: 1 | -1): void {
  const tabs = session.tabs.get();
  const next = shownBeside(
    tabs,
    tabs.findIndex(({ id }) => id === session.current.get()),
    by,
  );
  if (next) session.show(next.id);
}

/** A button of the tool bar, or an entry of its menu. */
export function runAction({ session }: Grid, id: string): void {
  const action = session.toolbar.get().find((one) => one.id === id);
  if (action && !action.disabled) action.run();
}

/** An entry of the document's own menu. */
export function runEntry({ session }: Grid, id: string): void {
  session.documentMenu
    .get()
    .find((one) => one.id === id)
    ?.run();
}
