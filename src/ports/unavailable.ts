/** A store cannot answer just now (restarting, overloaded, disk full): the same call may succeed later. */
export class Unavailable extends Error {
  /** By this the kernel answers `busy` instead of `internal`. */
  readonly retryable = true;

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'Unavailable';
  }
}
