/** A store cannot answer just now (restarting, overloaded, disk full): nothing was done, and the same call may succeed later. */
export class Unavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'Unavailable';
  }
}
