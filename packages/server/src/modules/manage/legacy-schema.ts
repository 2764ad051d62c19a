import type { Context } from '../../context.ts';
import { integer, text } from '../../kernel/field-schemas.ts';

/**
 * Fields that every answer contains for clients of an older spreadsheet service, whose interface this module also
 * offers.
 */
export const legacyFields = {
  error: text('Empty: a failure is an error with its code.'),
  trace_id: text('The request id, as the server log has it.'),
};

export function legacyAnswer({ requestId }: Pick<Context, 'requestId'>): { error: string; trace_id: string } {
  return { error: '', trace_id: requestId };
}

/**
 * Output fields with the progress of an import or export, for older clients. Every task is reported as finished,
 * because this server does the work within the call that starts the task.
 */
export const progressFields = {
  progress: integer('Always 100: the work was done when the task was answered.'),
  status: text('Always "success".'),
};

export const finishedProgress = { progress: 100, status: 'success' };
