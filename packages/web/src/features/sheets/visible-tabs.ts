import type { Tab } from './sheet-session.ts';

/** Returns the next visible sub-sheet in a direction. */
export function nextVisibleTab(tabs: readonly Tab[], index: number, step: number): Tab | undefined {
  for (let at = index + step; step !== 0 && at >= 0 && at < tabs.length; at += step)
    if (!tabs[at]!.isHidden) return tabs[at];
  return undefined;
}
