import type { Caller } from '../../context.ts';
import type { Answer } from '../../kernel/invoker.ts';
import { statusOf } from './answer.ts';

/** HTTP statuses of errors by their names, used if SHEAF_FAILURE_STATUS is `http`. All other errors have status 400. */
const statuses: Readonly<Record<string, number>> = {
  no_permission: 403,
  suspended: 403,
  not_author: 403,
  shared_note: 403,
  protected: 403,
  blocked: 403,
  not_found: 404,
  no_such_file: 404,
  no_such_sheet: 404,
  no_such_object: 404,
  no_notebook: 404,
  note_deleted: 404,
  conflict: 409,
  name_taken: 409,
  notebook_exists: 409,
  guide_exists: 409,
  too_large: 413,
  busy: 503,
};

/**
 * Returns the HTTP status of an answer if SHEAF_FAILURE_STATUS is `http`. That setting is for proxies and monitors that
 * look only at the status. Calls from the web app, which are authenticated by a session, keep status 200 for refusals,
 * so that the app can distinguish a refusal from an unavailable server.
 */
export function failureStatusOf(answer: Answer, caller: Caller | undefined): number {
  const status = statusOf(answer);
  if (status !== 200 || answer.code === 0 || caller?.via === 'session') return status;
  return statuses[answer.word] ?? 400;
}
