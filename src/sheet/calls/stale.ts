import { Failure } from '../../operation/errors.ts';

/** How often others may write in between before the caller is told. */
const mostTries = 5;
const changed = 'the document was changed meanwhile';

/** What was read from the log before the call's turn came holds only for the version it was read at. */
export function refuseStale(readAt: number, version: number): void {
  if (readAt !== version) throw new Failure('conflict', `${changed}, to version ${version}; try again`);
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
        // By its text: the refusal comes from another thread, which keeps no more of it than word and message.
        if (
          !(error instanceof Failure && error.word === 'conflict' && error.message.includes(changed)) ||
          tries === mostTries
        )
          throw error;
      }
    }
  };
}
