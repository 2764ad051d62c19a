import type { Registry } from '../registry.ts';
import type { Action } from '../sheet-session.ts';
import { nextVisibleTab } from '../visible-tabs.ts';
import type { Grid } from './grid.ts';

/** Shows the next or previous visible sub-sheet. */
export function showTab({ session }: Grid, by: 1 | -1): void {
  const tabs = session.tabs.get();
  const next = nextVisibleTab(
    tabs,
    tabs.findIndex(({ id }) => id === session.current.get()),
    by,
  );
  if (next) session.show(next.id);
}

/** Runs an action of the tool bar or its menu. */
export function runAction({ session }: Grid, id: string): void {
  runWhenRegistered(session.toolbar, id, (action) => {
    if (!action.disabled) action.run();
  });
}

/** Runs an entry of the document menu. */
export function runDocumentAction({ session }: Grid, id: string): void {
  runWhenRegistered(session.documentMenu, id, (entry) => entry.run());
}

/** Time after which a waiting key press is discarded. */
const maxWaitMs = 5_000;

/** Runs an action once it is registered, because actions are registered shortly after the grid is shown. */
function runWhenRegistered(registry: Registry<Action>, id: string, run: (action: Action) => void): void {
  const found = (): Action | undefined => registry.get().find((one) => one.id === id);
  const now = found();
  if (now) return run(now);
  const stop = registry.subscribe(() => {
    const action = found();
    if (!action) return;
    end();
    run(action);
  });
  const timer = setTimeout(() => stop(), maxWaitMs);
  const end = (): void => {
    clearTimeout(timer);
    stop();
  };
}
