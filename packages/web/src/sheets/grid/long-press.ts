const longMs = 500;
const still = 10;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A finger that stays where it is: what the right button is for a mouse. Not every browser makes a context menu of it. */
export class LongPress {
  readonly #run: (at: Point) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #start: Point = { x: 0, y: 0 };
  /** The press that ended last was one: its click means nothing more. */
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

  /** It is long enough now; the browser may think so first. */
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
