import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Garbage that a thread may have lying about: what a few calls leave that were not large ones. */
const muchBytes = 24 * 2 ** 20;

let collectGarbage: (() => void) | undefined;

/**
 * What a thread's calls leave behind. Left alone the collector lets a thread keep several times what it uses, an idle one for
 * long, and there are seven of them.
 */
export class Garbage {
  /** What was in use after the last collection, or has been at the least since. */
  #keptBytes = Infinity;

  collect(): void {
    if (!collectGarbage) {
      setFlagsFromString('--expose-gc');
      collectGarbage = runInNewContext('gc') as () => void;
    }
    collectGarbage();
    this.#keptBytes = usedBytes();
  }

  /** A collection takes as long as what is kept is large: with much of that it is due later. */
  collectIfMuch(): void {
    const used = usedBytes();
    this.#keptBytes = Math.min(this.#keptBytes, used);
    if (used - this.#keptBytes > Math.max(muchBytes, this.#keptBytes / 2)) this.collect();
  }
}

function usedBytes(): number {
  return getHeapStatistics().used_heap_size;
}
