import type { Context } from '../../context.ts';
import { integer, text } from '../../kernel/field-schemas.ts';

/** Fields that clients of the older sheet service expect in every answer. */
export const legacyFields = {
  error: text('Empty: a failure is an error with its code.'),
  trace_id: text('The request id, as the server log has it.'),
};

export function legacyAnswer({ requestId }: Pick<Context, 'requestId'>): { error: string; trace_id: string } {
  return { error: '', trace_id: requestId };
}

/**
 * Progress of a task for older clients. Every task is reported as finished, because this server does the work within
 * the call.
 */
export const progressFields = {
  progress: integer('Always 100: the work was done when the task was answered.'),
  status: text('Always "success".'),
};

export const finishedProgress = { progress: 100, status: 'success' };
