const longMs = 500;
const still = 10;

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Detects a long press, the touch equivalent of a right click. Not every browser fires a contextmenu event for a long
 * press.
 */
export class LongPress {
  readonly #run: (at: Point) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #start: Point = { x: 0, y: 0 };
  /** True if the last press was long. The click event after it must then be ignored. */
  wasLong = false;

  constructor(run: (at: Point) => void) {
    this.#run = run;
  }

  begin(at: Point): void {
    this.end();
    this.wasLong = false;
    this.#start = at;
    this.#timer = setTimeout(() => this.fire(), longMs);
  }

  /** Runs the action once per press. Called by the timer or the browser's contextmenu event, whichever comes first. */
  fire(): void {
    this.end();
    if (this.wasLong) return;
    this.wasLong = true;
    this.#run(this.#start);
  }

  move(at: Point): void {
    if (Math.hypot(at.x - this.#start.x, at.y - this.#start.y) > still) this.end();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
