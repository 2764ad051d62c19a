import { Failure } from '../../operation/errors.ts';

/** How often others may write in between before the caller is told. */
const maxTries = 5;

/** The call was planned on a version that is no longer the latest. Threads hand it over as what it is, not as its sentence. */
export class StaleVersion extends Failure {
  /** The latest version. */
  readonly version: number;

  constructor(version: number) {
    super('conflict', `the document was changed meanwhile, to version ${version}; try again`);
    this.name = 'StaleVersion';
    this.version = version;
  }
}

/** What was read from the log before the call's turn came holds only for the version it was read at. */
export function refuseStale(readAt: number, version: number): void {
  if (readAt !== version) throw new StaleVersion(version);
}

/** Reads the log anew when others wrote in between; other conflicts are the caller's. */
export function againWhenStale<Given extends unknown[], Result>(
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
