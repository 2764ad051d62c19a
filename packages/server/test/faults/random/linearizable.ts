/**
 * Whether what callers saw of one document can be explained by its calls having happened one after the other, each at a
 * moment between its beginning and its end (Herlihy and Wing's linearizability, decided as by Wing and Gong: depth first
 * over the calls that may come next, remembering what was tried). The document is a row of cells; a call writes some of them
 * or reads all of them. Every written value is written once.
 */
export type Operation =
  | { readonly kind: 'write'; readonly values: ReadonlyMap<number, number> }
  | { readonly kind: 'read'; readonly seen: readonly number[] };

export interface Call {
  readonly operation: Operation;
  readonly began: number;
  /** Undefined for a write of which nobody knows whether it happened, and if so when: it may be any time later, or never. */
  readonly ended?: number;
}

interface Bounded {
  readonly operation: Operation;
  readonly began: number;
  readonly ended: number;
}

export interface Verdict {
  readonly isLinearizable: boolean;
  /** Calls that the longest explanation could place, and those that could come next but fit nowhere. */
  readonly placed: number;
  readonly stuck: readonly Call[];
}

export function linearizable(history: readonly Call[], initial: readonly number[]): Verdict {
  const impossible = seenFromNowhere(history, initial);
  if (impossible) return { isLinearizable: false, placed: 0, stuck: [impossible] };
  return new Search(bounded(history), initial).run();
}

/** A read of a value that nobody wrote. */
function seenFromNowhere(history: readonly Call[], initial: readonly number[]): Call | undefined {
  const known = initial.map((value) => new Set([value]));
  for (const { operation } of history)
    if (operation.kind === 'write') for (const [cell, value] of operation.values) known[cell]!.add(value);
  return history.find(
    ({ operation }) => operation.kind === 'read' && operation.seen.some((value, cell) => !known[cell]!.has(value)),
  );
}

/**
 * A write without an end that somebody saw ended before the first who saw it did. One that nobody saw can be left out: an
 * explanation with it is one without it, because no read is between it and the next write of its cells.
 */
function bounded(history: readonly Call[]): Bounded[] {
  const firstSeen = new Map<string, number>();
  for (const { operation, ended } of history) {
    if (operation.kind !== 'read' || ended === undefined) continue;
    for (const [cell, value] of operation.seen.entries()) {
      const name = `${cell}=${value}`;
      firstSeen.set(name, Math.min(firstSeen.get(name) ?? Infinity, ended));
    }
  }
  const calls: Bounded[] = [];
  for (const { operation, began, ended } of history) {
    if (ended !== undefined) calls.push({ operation, began, ended });
    else if (operation.kind === 'write') {
      const seen = [...operation.values].map(([cell, value]) => firstSeen.get(`${cell}=${value}`) ?? Infinity);
      const end = Math.min(...seen);
      if (end < Infinity) calls.push({ operation, began, ended: Math.max(began, end) });
    }
  }
  return calls.sort((a, b) => a.began - b.began);
}

interface Step {
  readonly call: number;
  readonly before: readonly number[];
  /** Which of those that may come next are still to be tried instead. */
  readonly others: number[];
}

class Search {
  readonly #calls: readonly Bounded[];
  readonly #placed: Uint8Array;
  readonly #tried = new Set<string>();
  /** All calls before this one are placed. */
  #first = 0;
  #count = 0;
  #state: readonly number[];
  #best = { placed: -1, stuck: [] as Call[] };

  constructor(calls: readonly Bounded[], initial: readonly number[]) {
    this.#calls = calls;
    this.#placed = new Uint8Array(calls.length);
    this.#state = initial;
  }

  run(): Verdict {
    const steps: Step[] = [];
    let choices = this.#choices();
    while (this.#count < this.#calls.length) {
      const call = choices.pop();
      if (call !== undefined) {
        const before = this.#state;
        this.#place(call);
        const isNew = !this.#tried.has(this.#name());
        if (isNew) {
          this.#tried.add(this.#name());
          steps.push({ call, before, others: choices });
          choices = this.#choices();
        } else this.#take(call, before);
        continue;
      }
      const last = steps.pop();
      if (!last) return { isLinearizable: false, ...this.#best };
      this.#take(last.call, last.before);
      choices = last.others;
    }
    return { isLinearizable: true, placed: this.#count, stuck: [] };
  }

  /** Calls that may come next; the last one is tried first. Nothing may come before what ended before it began. */
  #choices(): number[] {
    let end = Infinity;
    const open: number[] = [];
    for (let index = this.#first; index < this.#calls.length && this.#calls[index]!.began <= end; index++) {
      if (this.#placed[index]) continue;
      open.push(index);
      end = Math.min(end, this.#calls[index]!.ended);
    }
    const next = open.filter((index) => this.#calls[index]!.began <= end);
    // A read that fits changes nothing: wherever else it would fit, it fits here.
    const fitting = next.find((index) => this.#isFittingRead(index));
    if (fitting !== undefined) return [fitting];
    const writes = next.filter((index) => this.#calls[index]!.operation.kind === 'write');
    if (this.#count > this.#best.placed)
      this.#best = { placed: this.#count, stuck: next.map((index) => this.#calls[index]!) };
    return writes.sort((a, b) => this.#calls[b]!.ended - this.#calls[a]!.ended);
  }

  #isFittingRead(index: number): boolean {
    const { operation } = this.#calls[index]!;
    return operation.kind === 'read' && operation.seen.every((value, cell) => this.#state[cell] === value);
  }

  #place(index: number): void {
    const { operation } = this.#calls[index]!;
    if (operation.kind === 'write') {
      const state = [...this.#state];
      for (const [cell, value] of operation.values) state[cell] = value;
      this.#state = state;
    }
    this.#placed[index] = 1;
    this.#count++;
    while (this.#placed[this.#first]) this.#first++;
  }

  #take(index: number, before: readonly number[]): void {
    this.#state = before;
    this.#placed[index] = 0;
    this.#count--;
    this.#first = Math.min(this.#first, index);
  }

  /** What is placed and what it made of the cells: from here on nothing else matters. */
  #name(): string {
    const beyond: number[] = [];
    for (let index = this.#first, left = this.#count - this.#first; left > 0; index++) {
      if (!this.#placed[index]) continue;
      beyond.push(index);
      left--;
    }
    return `${this.#first}+${beyond.join(',')}:${this.#state.join(',')}`;
  }
}
