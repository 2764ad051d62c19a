import { fail, Failure } from '../../kernel/errors.ts';
import { wikiErrors } from './errors.ts';

/** Rethrows a failure of the spreadsheets under a name that the error table of this module has. */
export function rethrowDocumentError(error: unknown): never {
  if (!(error instanceof Failure) || error.word in wikiErrors) throw error;
  throw fail(error.word.startsWith('no_such_') ? 'no_permission' : 'invalid_parameter', error.message);
}
