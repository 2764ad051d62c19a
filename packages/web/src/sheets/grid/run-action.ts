import type { Registry } from '../registry.ts';
import type { Action } from '../session.ts';
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
  whenThere(session.toolbar, id, (action) => {
    if (!action.disabled) action.run();
  });
}

/** An entry of the document's own menu. */
export function runEntry({ session }: Grid, id: string): void {
  whenThere(session.documentMenu, id, (entry) => entry.run());
}

/** What comes later than this is no answer to the key any more. */
const patienceMs = 5_000;

/** Buttons and entries come a moment after the grid: a key that is pressed before that waits for its own. */
function whenThere(registry: Registry<Action>, id: string, run: (action: Action) => void): void {
  const found = (): Action | undefined => registry.get().find((one) => one.id === id);
  const now = found();
  if (now) return run(now);
  const stop = registry.subscribe(() => {
    const action = found();
    if (!action) return;
    end();
    run(action);
  });
  const timer = setTimeout(() => stop(), patienceMs);
  const end = (): void => {
    clearTimeout(timer);
    stop();
  };
}
