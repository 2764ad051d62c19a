import { Failure } from '../../../kernel/errors.ts';

/**
 * Maximum number of attempts of a call that conflicts with concurrent writes. After that, the caller gets the conflict
 * error.
 */
const maxTries = 5;

/**
 * Thrown by a write that was prepared from the document's revision log, if the document changed before the write was
 * applied. A worker thread sends this error to the main thread as an answer of its own kind, from which the main thread
 * creates the error again.
 */
export class StaleVersion extends Failure {
  /** Latest version of the document. */
  readonly version: number;

  constructor(version: number) {
    super('conflict', `the document was changed meanwhile, to version ${version}; try again`);
    this.name = 'StaleVersion';
    this.version = version;
  }
}

/**
 * Throws StaleVersion if `version`, the document's current version, is not `readAt`, the version at which the caller
 * read the log of revisions.
 */
export function throwIfStale(readAt: number, version: number): void {
  if (readAt !== version) throw new StaleVersion(version);
}

/**
 * Wraps `run` so that it is retried when it throws StaleVersion; each retry reads the log again. Other errors are
 * thrown to the caller.
 */
export function retryWhenStale<Given extends unknown[], Result>(
  run: (...given: Given) => Promise<Result>,
): (...given: Given) => Promise<Result> {
  return async (...given) => {
    for (let tries = 1; ; tries++) {
      try {
        return await run(...given);
      } catch (error) {
        if (!(error instanceof StaleVersion) || tries === maxTries) throw error;
      }
    }
  };
}
