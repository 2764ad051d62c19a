/** The work was cut off; the workbook is as it was before it began. */
export class BudgetExceeded extends Error {
  constructor(rule: string) {
    super(`the calculation needs more than ${rule}`);
    this.name = 'BudgetExceeded';
  }
}

/** What a piece of work may use. Absent means without limit. */
export interface Allowance {
  /** About one for each cell or character touched. */
  readonly steps?: number | undefined;
  /** Memory for the arrays and texts of one formula, and for what all of them leave behind. */
  readonly bytes?: number | undefined;
  /** Asked now and then, with the steps left: the engine has no clock of its own. The rule that was broken, or undefined. */
  readonly broken?: ((stepsLeft: number) => string | undefined) | undefined;
  /** Asked once, when more than `from` bytes are taken: there may not be room for many such at once. The rule, or undefined. */
  readonly large?: { readonly from: number; begin(): string | undefined } | undefined;
  /** As much once more, from now on: for taking back what was cut off. */
  readonly again?: (() => Allowance) | undefined;
}

/** Steps between two looks at the clock: a few milliseconds, where a step is as quick as it should be. */
const lookEvery = 50_000;

export class StepBudget implements Budget {
  readonly allowance: Allowance;
  /** Steps until the next look at everything else. */
  #left = 0;
  /** Steps beyond those. */
  #more: number;
  #room: number;
  #roomBetween: number;
  /** With less room than this there is something to ask. */
  #askBelow: number;
  /** While set, the budget is spent but nothing is truncated. */
  #isPatient = false;

  constructor(allowance: Allowance = {}) {
    this.allowance = allowance;
    this.#more = allowance.steps ?? Infinity;
    // A number even without limit: what is taken has to be counted.
    this.#room = allowance.bytes ?? Number.MAX_SAFE_INTEGER;
    this.#roomBetween = this.#room;
    this.#askBelow = allowance.large ? this.#room - allowance.large.from : 0;
    this.#grant();
  }

  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) this.#look();
  }

  /** Memory that is free again when the formula is done. */
  take(bytes: number): void {
    this.#room -= bytes;
    if (this.#room < this.#askBelow && !this.#isPatient) this.#askForRoom();
  }

  /** Bytes that may still be taken. */
  get room(): number {
    return this.#room;
  }

  /** What was taken since there was that much room is of no use any more. */
  free(room: number): void {
    this.#room = room;
  }

  /** Memory that the result keeps. */
  keep(bytes: number): void {
    this.#roomBetween -= bytes;
    this.take(bytes);
  }

  /** Between two formulas: what the last one took is free again. */
  next(): void {
    this.#room = this.#roomBetween;
  }

  /** Runs work that must not be left half-done: it is counted, and cut off only after it. */
  uninterrupted<Result>(work: () => Result): Result {
    if (this.#isPatient) return work();
    this.#isPatient = true;
    let result: Result;
    try {
      result = work();
    } finally {
      this.#isPatient = false;
    }
    return result;
  }

  #askForRoom(): void {
    if (this.#room < 0) throw new BudgetExceeded(`the ${this.allowance.bytes} bytes of memory allowed`);
    const rule = this.allowance.large?.begin();
    if (rule !== undefined) throw new BudgetExceeded(rule);
    this.#askBelow = 0;
  }

  #look(): void {
    if (this.#isPatient) return;
    // More may have been spent at once than was granted.
    this.#more += this.#left;
    this.#left = 0;
    if (this.#more < 0) throw new BudgetExceeded(`the ${this.allowance.steps} steps allowed`);
    const rule = this.allowance.broken?.(this.#more);
    if (rule !== undefined) throw new BudgetExceeded(rule);
    this.#grant();
  }

  #grant(): void {
    this.#left = this.allowance.broken ? Math.min(this.#more, lookEvery) : this.#more;
    this.#more -= this.#left === Infinity ? 0 : this.#left;
  }
}

/**
 * The budget of the work under way. The engine is synchronous, so a thread has only one: every loop whose length a caller
 * chooses counts here, however deep it lies, and a helper that many things use needs no budget handed to it.
 */
let current = new StepBudget();

/** Counts work: about one step for each cell or character touched. Once for a stretch, not inside an inner loop. */
export function charge(steps: number): void {
  current.spend(steps);
}

/** Of an element of an array: a number of its own, and the place that points to it. */
const elementBytes = 16;

/** Counts the memory of an array that is about to be made; of a small one the collector makes nothing. */
export function chargeArray(elements: number): void {
  if (elements > 16) current.take(elements * elementBytes);
}

/** Shorter texts are made by the collector's leave. */
const longText = 256;

/** Counts a text that was read or is about to be made: the work, and the memory of a long one. */
export function chargeText(characters: number): void {
  current.spend(1 + (characters >> 4));
  if (characters > longText) current.take(characters * 2);
}

/** Counts memory that stays taken as long as the work goes on. */
export function chargeMemory(bytes: number): void {
  current.take(bytes);
}

export function currentBudget(): StepBudget {
  return current;
}

/** Runs work that must not be left half-done; what it costs is counted and cuts off what comes after it. */
export function uninterrupted<Result>(work: () => Result): Result {
  return current.uninterrupted(work);
}

/** Runs work within a budget of its own. */
export function within<Result>(budget: StepBudget, work: () => Result): Result {
  const before = current;
  current = budget;
  try {
    return work();
  } finally {
    current = before;
  }
}

/** Runs work within that many steps, or within the budget it is already part of. */
export function withinSteps<Result>(steps: number | undefined, work: () => Result): Result {
  return steps === undefined ? work() : within(new StepBudget({ steps }), work);
}

/** Work done so far; `spend` ends the calculation when it runs out. */
export interface Budget {
  /** About one unit for each cell or character touched. Call it before large work, not in inner loops. */
  spend(units: number): void;
}
