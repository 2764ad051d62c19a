import { fail, Failure } from '../../kernel/errors.ts';
import { wikiErrors } from './errors.ts';

/** Rethrows an error of the spreadsheet service with an error name that this module defines. */
export function rethrowDocumentError(error: unknown): never {
  if (!(error instanceof Failure) || error.word in wikiErrors) throw error;
  throw fail(error.word.startsWith('no_such_') ? 'no_permission' : 'invalid_parameter', error.message);
}
