import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Minimum garbage in bytes that triggers a collection, about the garbage of a few normal calls. */
const minGarbageBytes = 24 * 2 ** 20;

let collectGarbage: (() => void) | undefined;

/**
 * Triggers garbage collection in a thread. Without it, V8 lets an idle thread hold several times the memory that it
 * uses.
 */
export class HeapCollector {
  /** Estimate of the live memory: the smallest heap size since the last collection. */
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
   * Collects garbage if there is enough of it. The threshold grows with the live data, because the time of a collection
   * is proportional to that data.
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
