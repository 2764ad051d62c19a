import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Garbage a thread may accumulate, about what a few normal calls leave behind. */
const minGarbageBytes = 24 * 2 ** 20;

let collectGarbage: (() => void) | undefined;

/**
 * Triggers garbage collection in a thread. By default V8 lets a thread hold several times the memory it uses, for long
 * if idle, and there are seven threads.
 */
export class GarbageCollector {
  /** Memory in use after the last collection, or the minimum since. */
  #liveBytes = Infinity;

  collect(): void {
    if (!collectGarbage) {
      setFlagsFromString('--expose-gc');
      collectGarbage = runInNewContext('gc') as () => void;
    }
    collectGarbage();
    this.#liveBytes = usedBytes();
  }

  /**
   * Collects if there is much garbage. A collection takes time in proportion to the live data, so the threshold grows
   * with it.
   */
  collectIfNeeded(): void {
    const used = usedBytes();
    this.#liveBytes = Math.min(this.#liveBytes, used);
    if (used - this.#liveBytes > Math.max(minGarbageBytes, this.#liveBytes / 2)) this.collect();
  }
}

function usedBytes(): number {
  return getHeapStatistics().used_heap_size;
}
