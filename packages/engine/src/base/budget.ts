/**
 * Thrown when a calculation exceeds its budget, that is, its limits on steps, memory and time. All calculated values
 * are then as they were before the calculation.
 */
export class BudgetExceeded extends Error {
  constructor(rule: string) {
    super(`the calculation needs more than ${rule}`);
    this.name = 'BudgetExceeded';
  }
}

/** Resource limits of one piece of work. An absent field means no limit. */
export interface Allowance {
  /** Maximum number of steps. One step is about one cell or character touched. */
  readonly steps?: number | undefined;
  /** Maximum memory for the temporary arrays and texts of one formula plus the results of all formulas. */
  readonly bytes?: number | undefined;
  /**
   * Function that is called periodically with the number of remaining steps, so that the program that uses the engine
   * can check a deadline; the engine has no clock. It returns a description of the exceeded limit, or undefined to
   * continue.
   */
  readonly broken?: ((stepsLeft: number) => string | undefined) | undefined;
  /**
   * Lets the program that uses the engine limit the number of large jobs that run at the same time. `begin` is called
   * once, when more than `from` bytes are in use. It returns a description of the exceeded limit if the job must stop,
   * otherwise undefined.
   */
  readonly large?: { readonly from: number; begin(): string | undefined } | undefined;
  /** Returns a fresh allowance of the same size, for rolling back work that exceeded this one. */
  readonly again?: (() => Allowance) | undefined;
}

/** Number of calculation steps between two checks of the limits: a few milliseconds of work. */
const checkInterval = 50_000;

export class StepBudget implements Budget {
  readonly allowance: Allowance;
  /** Steps until the next check of the allowance. */
  #left = 0;
  /** Remaining steps that are not in `#left`. Each check of the allowance moves some of them to `#left`. */
  #more: number;
  #room: number;
  #roomBetween: number;
  /** Value of `#room` (bytes left) below which the memory limits are checked. */
  #askBelow: number;
  /** True while `uninterrupted` runs. Usage beyond the limits is then charged but does not throw. */
  #isPatient = false;

  constructor(allowance: Allowance = {}) {
    this.allowance = allowance;
    this.#more = allowance.steps ?? Infinity;
    // If memory is not limited, `#room` is a large finite number, because subtracting from Infinity would not record
    // usage.
    this.#room = allowance.bytes ?? Number.MAX_SAFE_INTEGER;
    this.#roomBetween = this.#room;
    this.#askBelow = allowance.large ? this.#room - allowance.large.from : 0;
    this.#grant();
  }

  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) this.#look();
  }

  /** Charges temporary memory, which is released when the formula is done. */
  take(bytes: number): void {
    this.#room -= bytes;
    if (this.#room < this.#askBelow && !this.#isPatient) this.#askForRoom();
  }

  /** Bytes that can still be charged before the limit is reached. */
  get room(): number {
    return this.#room;
  }

  /** Releases all memory charged since the time when the property `room` had the given value. */
  free(room: number): void {
    this.#room = room;
  }

  /** Charges memory of a result, which stays in use after the formula is done. */
  keep(bytes: number): void {
    this.#roomBetween -= bytes;
    this.take(bytes);
  }

  /** Releases the temporary memory of the previous formula. Called between two formulas. */
  next(): void {
    this.#room = this.#roomBetween;
  }

  /**
   * Runs work that must not stop halfway. Its cost is charged, but an exceeded limit throws only at the first charge
   * after the work.
   */
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
    // `#left` is negative if the last charge was larger than the steps left until this check. Adding it to `#more`
    // subtracts the excess from the remaining steps.
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
 * The budget (resource limit) of the current work. It is global, so that helpers can charge it without a parameter;
 * this is safe, because a thread does one piece of work at a time. Every loop whose length depends on user input must
 * charge it.
 */
let current = new StepBudget();

/**
 * Charges steps to the current budget (the limit on calculation work): about one per cell or character touched. Call it
 * once per batch, not inside an inner loop.
 */
export function charge(steps: number): void {
  current.spend(steps);
}

/** Bytes per array element: the heap number and the pointer to it. */
const elementBytes = 16;

/**
 * Charges the memory of an array to the current budget before the array is allocated. Arrays of up to 16 elements are
 * not charged.
 */
export function chargeArray(elements: number): void {
  if (elements > 16) current.take(elements * elementBytes);
}

/** Texts up to this length are not charged as memory. */
const longText = 256;

/** Charges the steps of reading or creating a text to the current budget, and its memory if the text is long. */
export function chargeText(characters: number): void {
  current.spend(1 + (characters >> 4));
  if (characters > longText) current.take(characters * 2);
}

/** Charges the current budget for memory that stays in use until the work ends. */
export function chargeMemory(bytes: number): void {
  current.take(bytes);
}

export function currentBudget(): StepBudget {
  return current;
}

/**
 * Runs work that must not stop halfway. Its cost is charged, but an exceeded limit throws only at the first charge
 * after the work.
 */
export function uninterrupted<Result>(work: () => Result): Result {
  return current.uninterrupted(work);
}

/** Runs work with `budget` as the current budget, then restores the previous one. */
export function within<Result>(budget: StepBudget, work: () => Result): Result {
  const before = current;
  current = budget;
  try {
    return work();
  } finally {
    current = before;
  }
}

/** Runs work with a budget of `steps` steps, or with the current budget if `steps` is undefined. */
export function withinSteps<Result>(steps: number | undefined, work: () => Result): Result {
  return steps === undefined ? work() : within(new StepBudget({ steps }), work);
}

/** Limit on the amount of work. `spend` throws BudgetExceeded when the limit is exceeded. */
export interface Budget {
  /**
   * Charges units to the budget: about one per cell or character touched. Call it before large work, not in inner
   * loops.
   */
  spend(units: number): void;
}
