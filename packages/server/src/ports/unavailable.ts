/** A store cannot answer just now (restarting, overloaded, disk full): the same call may succeed later. */
export class Unavailable extends Error {
  /** By this the kernel answers `busy` instead of `internal`. */
  readonly retryable = true;

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'Unavailable';
  }
}

/** The database answers but takes no writes (full disk, standby). The message is for everybody. */
export class NotWritable extends Unavailable {
  constructor(message: string, cause?: unknown) {
    super(message, cause);
    this.name = 'NotWritable';
  }
}

/** What the system says when it has run out of something for now, by what a person would call it. */
const shortages: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EFBIG: 'the file is as large as this process may write',
  EMFILE: 'this process has no file descriptors left (ulimit -n)',
  ENFILE: 'this machine has no file descriptors left',
  ERR_WORKER_INIT_FAILED: 'a thread could not be started: there are no file descriptors or memory left',
  EAGAIN: 'this machine has no room for another thread or process',
};

/** A shortage as Unavailable: the same work may succeed once there is room again. Anything else as it is. */
export function shortageOf(error: unknown): unknown {
  if (error instanceof Unavailable) return error;
  const message = shortages[(error as NodeJS.ErrnoException | null)?.code ?? ''];
  return message === undefined ? error : new Unavailable(message, error);
}
