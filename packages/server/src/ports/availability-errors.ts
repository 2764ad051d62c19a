/** Thrown when a store temporarily cannot answer (restarting, overloaded, disk full). A retry may succeed. */
export class Unavailable extends Error {
  /** Marks the error as temporary, so that the call fails with the code `busy` instead of `internal`. */
  readonly retryable = true;

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'Unavailable';
  }
}

/**
 * Thrown when the database answers but rejects writes (full disk, standby). The message is safe to show to any caller.
 */
export class NotWritable extends Unavailable {
  constructor(message: string, cause?: unknown) {
    super(message, cause);
    this.name = 'NotWritable';
  }
}

/**
 * Thrown when the file of the database is damaged. A retry cannot help; the database must be restored from a backup.
 */
export class DatabaseDamaged extends NotWritable {
  constructor(file: string, cause?: unknown) {
    super(`the database file ${file} is damaged: run sheaf doctor, and restore the newest backup`, cause);
    this.name = 'DatabaseDamaged';
  }
}

/** Error messages for system error codes that mean a temporary problem of the machine, such as a full disk. */
const shortageMessages: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EFBIG: 'the file is as large as this process may write',
  EMFILE: 'this process has no file descriptors left (ulimit -n)',
  ENFILE: 'this machine has no file descriptors left',
  ERR_WORKER_INIT_FAILED: 'a thread could not be started: there are no file descriptors or memory left',
  EAGAIN: 'this machine has no room for another thread or process',
};

/**
 * Converts an error about a temporary problem of the machine, such as a full disk or too many open files, to
 * Unavailable, so that callers retry. Returns other errors unchanged.
 */
export function toUnavailable(error: unknown): unknown {
  if (error instanceof Unavailable) return error;
  const message = shortageMessages[(error as NodeJS.ErrnoException | null)?.code ?? ''];
  return message === undefined ? error : new Unavailable(message, error);
}
