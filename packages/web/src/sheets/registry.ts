import { Store } from '../ui/store.ts';

/** A list that parts of the page add to and take from. Watch it with `useStore(registry)`. */
export class Registry<Item> extends Store<readonly Item[]> {
  constructor() {
    super([]);
  }

  /** Answers how to take it away again: made for `useEffect(() => registry.add(item), [])`. */
  add(item: Item): () => void {
    this.set([...this.get(), item]);
    return () => this.set(this.get().filter((one) => one !== item));
  }
}
