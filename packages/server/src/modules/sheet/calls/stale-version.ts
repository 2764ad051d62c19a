import { Failure } from '../../../kernel/errors.ts';

/** How often a call is retried after concurrent writes before the caller gets an error. */
const maxTries = 5;

/**
 * The call was planned on an outdated version. Worker threads transfer it as a separate answer kind, so that it keeps
 * its type.
 */
export class StaleVersion extends Failure {
  /** The latest version. */
  readonly version: number;

  constructor(version: number) {
    super('conflict', `the document was changed meanwhile, to version ${version}; try again`);
    this.name = 'StaleVersion';
    this.version = version;
  }
}

/** Refuses data read from the log before the call was executed, if the document has changed since. */
export function throwIfStale(readAt: number, version: number): void {
  if (readAt !== version) throw new StaleVersion(version);
}

/** Retries with a new read of the log after concurrent writes; other conflicts go to the caller. */
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
