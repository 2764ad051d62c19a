import { Store } from '../../ui/store.ts';

/** A list that components can add to and remove from. Subscribe with `useStore(registry)`. */
export class Registry<Item> extends Store<readonly Item[]> {
  constructor() {
    super([]);
  }

  /** Adds an item and returns a function that removes it, for `useEffect(() => registry.add(item), [])`. */
  add(item: Item): () => void {
    this.set([...this.get(), item]);
    return () => this.set(this.get().filter((one) => one !== item));
  }
}
