import { fail, Failure } from '../../kernel/errors.ts';
import { wikiErrors } from './errors.ts';

/**
 * Rethrows an error of the spreadsheet service. If this module's API does not define the error's name, replaces it:
 * with `no_permission` if an object does not exist, otherwise with `invalid_parameter`.
 */
export function rethrowDocumentError(error: unknown): never {
  if (!(error instanceof Failure) || error.word in wikiErrors) throw error;
  throw fail(error.word.startsWith('no_such_') ? 'no_permission' : 'invalid_parameter', error.message);
}
