import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Minimum garbage that triggers a collection: about what a few normal calls leave behind. */
const minGarbageBytes = 24 * 2 ** 20;

let collectGarbage: (() => void) | undefined;

/**
 * Triggers garbage collection in a thread. By default V8 lets a thread hold several times the memory it uses,
 * especially when idle, and there may be seven threads.
 */
export class GarbageCollector {
  /** Estimate of live memory: the heap size after the last collection, or the smallest one seen since. */
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
   * Collects garbage if there is much of it. A collection takes time in proportion to the live data, so the threshold
   * grows with the live data.
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
