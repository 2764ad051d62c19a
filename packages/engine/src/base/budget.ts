/** Thrown when work exceeds its budget; the workbook is rolled back to its state before the work. */
export class BudgetExceeded extends Error {
  constructor(rule: string) {
    super(`the calculation needs more than ${rule}`);
    this.name = 'BudgetExceeded';
  }
}

/** Resource limits of one piece of work. An absent field means no limit. */
export interface Allowance {
  /** Step limit; a step is about one cell or character touched. */
  readonly steps?: number | undefined;
  /** Memory limit for the arrays and texts of one formula plus the results that all formulas retain. */
  readonly bytes?: number | undefined;
  /**
   * Called periodically with the remaining steps, because the engine has no clock. Returns the exceeded rule, or
   * undefined.
   */
  readonly broken?: ((stepsLeft: number) => string | undefined) | undefined;
  /**
   * Called once when more than `from` bytes are used, so that the host can limit concurrent large jobs. Returns the
   * broken rule, or undefined.
   */
  readonly large?: { readonly from: number; begin(): string | undefined } | undefined;
  /** Returns a fresh allowance of the same size, for rolling back work that was cut off. */
  readonly again?: (() => Allowance) | undefined;
}

/** Steps between two checks of the allowance; a few milliseconds at normal step cost. */
const checkInterval = 50_000;

export class StepBudget implements Budget {
  readonly allowance: Allowance;
  /** Steps until the next check of the allowance. */
  #left = 0;
  /** Steps left after the next check. */
  #more: number;
  #room: number;
  #roomBetween: number;
  /** When `#room` falls below this value, the limits must be checked. */
  #askBelow: number;
  /** While true, usage is counted but never throws. */
  #isPatient = false;

  constructor(allowance: Allowance = {}) {
    this.allowance = allowance;
    this.#more = allowance.steps ?? Infinity;
    // A finite number even without a limit, because usage must be counted.
    this.#room = allowance.bytes ?? Number.MAX_SAFE_INTEGER;
    this.#roomBetween = this.#room;
    this.#askBelow = allowance.large ? this.#room - allowance.large.from : 0;
    this.#grant();
  }

  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) this.#look();
  }

  /** Counts memory that is released when the formula is done. */
  take(bytes: number): void {
    this.#room -= bytes;
    if (this.#room < this.#askBelow && !this.#isPatient) this.#askForRoom();
  }

  /** Bytes still available. */
  get room(): number {
    return this.#room;
  }

  /** Restores an earlier value of `room`: the memory taken since then is released. */
  free(room: number): void {
    this.#room = room;
  }

  /** Counts memory that the result retains. */
  keep(bytes: number): void {
    this.#roomBetween -= bytes;
    this.take(bytes);
  }

  /** Called between two formulas: releases the memory of the previous formula. */
  next(): void {
    this.#room = this.#roomBetween;
  }

  /** Runs work that must not stop halfway: its cost is counted, and exceeding the limit throws only after it ends. */
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
    // A single charge may exceed the granted steps; the deficit reduces the remaining ones.
    this.#more += this.#left;
    this.#left = 0;
    if (this.#more < 0) throw new BudgetExceeded(`the ${this.allowance.steps} steps allowed`);
    const rule = this.allowance.broken?.(this.#more);
    if (rule !== undefined) throw new BudgetExceeded(rule);
    this.#grant();
  }

  #grant(): void {
    this.#left = this.allowance.broken ? Math.min(this.#more, checkInterval) : this.#more;
    this.#more -= this.#left === Infinity ? 0 : this.#left;
  }
}

/**
 * The budget of the current work. The engine is synchronous, so a thread has only one budget at a time. Every loop
 * whose length a caller controls charges it; being global, it need not be passed to helpers.
 */
let current = new StepBudget();

/** Charges about one step per cell or character touched. Call it once per batch, not inside an inner loop. */
export function charge(steps: number): void {
  current.spend(steps);
}

/** Bytes per array element: the heap number and the pointer to it. */
const elementBytes = 16;

/** Charges the memory of an array before it is allocated; small arrays are ignored. */
export function chargeArray(elements: number): void {
  if (elements > 16) current.take(elements * elementBytes);
}

/** Texts up to this length are not charged as memory. */
const longText = 256;

/** Charges a text that is read or created: its steps, and its memory if the text is long. */
export function chargeText(characters: number): void {
  current.spend(1 + (characters >> 4));
  if (characters > longText) current.take(characters * 2);
}

/** Charges memory that stays in use until the work ends. */
export function chargeMemory(bytes: number): void {
  current.take(bytes);
}

export function currentBudget(): StepBudget {
  return current;
}

/** Runs work that must not stop halfway; its cost is counted, and exceeding the limit throws only after it ends. */
export function uninterrupted<Result>(work: () => Result): Result {
  return current.uninterrupted(work);
}

/** Runs work within its own budget. */
export function within<Result>(budget: StepBudget, work: () => Result): Result {
  const before = current;
  current = budget;
  try {
    return work();
  } finally {
    current = before;
  }
}

/** Runs work within `steps` steps, or within the current budget if `steps` is undefined. */
export function withinSteps<Result>(steps: number | undefined, work: () => Result): Result {
  return steps === undefined ? work() : within(new StepBudget({ steps }), work);
}

/** Counts work; `spend` throws when the budget is exhausted. */
export interface Budget {
  /** Charges about one unit per cell or character touched. Call it before large work, not in inner loops. */
  spend(units: number): void;
}
