import { Store } from '../../ui/store.ts';
import { parseSheetRange, type CellRange } from './cell-geometry.ts';
import { colorIdOf, isAgentKey } from './presence.ts';
import type { Revision } from './revision.ts';

/**
 * Recent changes by one other user or agent. Changes are collected until their author pauses for longer than `shownMs`.
 */
export interface RecentWrite {
  readonly who: string;
  readonly name: string;
  /** The last tool that was called, if the author is an agent. */
  readonly tool: string | undefined;
  /** Document versions that the changes created, oldest first. Only the last `maxVersions` are stored. */
  readonly versions: readonly number[];
  readonly places: readonly { readonly sheetId: string; readonly range: CellRange }[];
  /** Time when this browser tab received the last change, in Unix milliseconds. */
  readonly at: number;
}

const shownMs = 20_000;
const maxVersions = 50;
const maxCounted = 100_000;

/** Collects the recent changes of other users and agents by author. The page shows one flag per author. */
export class RecentWrites {
  readonly state = new Store<readonly RecentWrite[]>([]);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isHeld = false;

  add(revision: Revision, name: string): void {
    const who = colorIdOf(revision);
    const before = this.state.get().find((one) => one.who === who);
    const place = revision.range === undefined ? undefined : parseSheetRange(revision.range);
    const write: RecentWrite = {
      who,
      name,
      tool: isAgentKey(revision.keyId) ? revision.tool : undefined,
      // Revisions may arrive out of order, because each one waits until the name of its author is loaded.
      versions: [...(before?.versions ?? []), revision.version].toSorted((a, b) => a - b).slice(-maxVersions),
      places: [...(before?.places ?? []), ...(place ? [place] : [])].slice(-maxVersions),
      at: Date.now(),
    };
    this.state.set([...this.state.get().filter((one) => one !== before), write]);
    this.#schedule();
  }

  /** Removes a version that was undone, so that it is not undone again. */
  removeVersion(who: string, version: number): void {
    this.state.set(
      this.state
        .get()
        .map((one) => (one.who === who ? { ...one, versions: one.versions.filter((each) => each !== version) } : one)),
    );
  }

  remove(who: string): void {
    this.state.set(this.state.get().filter((one) => one.who !== who));
  }

  /**
   * While `isHeld` is true, no entry is removed because of its age. The caller sets it while the pointer or the focus
   * is on the flags that show the entries.
   */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (!isHeld) this.#schedule();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    const [oldest] = this.state.get().toSorted((a, b) => a.at - b.at);
    if (!oldest || this.#isHeld) return;
    this.#timer = setTimeout(
      () => {
        if (this.#isHeld) return;
        this.state.set(this.state.get().filter((one) => Date.now() - one.at < shownMs));
        this.#schedule();
      },
      Math.max(100, oldest.at + shownMs - Date.now()),
    );
  }
}

/** Returns the number of different cells in the ranges. For very many cells it is an upper bound. */
export function countCells(places: RecentWrite['places']): number {
  const area = ({ top, left, bottom, right }: CellRange): number => (bottom - top + 1) * (right - left + 1);
  const sum = places.reduce((total, { range }) => total + area(range), 0);
  if (places.length < 2 || sum > maxCounted) return sum;
  const cells = new Set<string>();
  for (const { sheetId, range } of places)
    for (let row = range.top; row <= range.bottom; row++)
      for (let col = range.left; col <= range.right; col++) cells.add(`${sheetId} ${row} ${col}`);
  return cells.size;
}
