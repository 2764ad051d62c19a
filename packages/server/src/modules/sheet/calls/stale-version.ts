import { Failure } from '../../../kernel/errors.ts';

/**
 * Maximum number of attempts of a call that conflicts with concurrent writes; after that, the caller gets the conflict
 * error.
 */
const maxTries = 5;

/**
 * Signals that a call was planned on an outdated version. Worker threads send this error as a separate answer kind, so
 * that the main thread can recreate the class.
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

/** Throws StaleVersion if the document changed after `readAt`, the version at which the caller read the log. */
export function throwIfStale(readAt: number, version: number): void {
  if (readAt !== version) throw new StaleVersion(version);
}

/**
 * Wraps `run` so that it runs again, with a new read of the log, when it throws StaleVersion. Other conflicts are
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
