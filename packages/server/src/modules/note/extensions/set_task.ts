import { fail } from '../../../kernel/errors.ts';
import { flag, integer, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { baseVersion, changedLines, dryRun, editNote } from '../note-edits.ts';
import { noteIdFields, noteIds, plainString, version } from '../schema.ts';
import { isDate } from '../text/tasks.ts';

export const set_task = operation({
  summary:
    'Checks or unchecks a task of a note, or sets its date. Name it by line, text or both, from list_tasks.\n' +
    'Example: {"note_id":"note_...","line":12,"text":"call Ann","done":true}',
  effect: 'write',
  idempotent: true,
  input: {
    ...noteIdFields,
    line: integer('Line of the task.', { min: 1 }).optional(),
    text: plainString('Text of the task, or its beginning; with line, refused if another task is there.', {
      min: 1,
      max: 500,
    }).optional(),
    done: flag('Whether it is done; unchanged if omitted.').optional(),
    due: text('Date as YYYY-MM-DD; empty to remove it; unchanged if omitted.', { max: 10 }).optional(),
    base_version: baseVersion(),
    dry_run: dryRun(),
  },
  output: { ...noteIds, version: version(), changes: changedLines() },
  aliases: { doc_id: 'note_id' },
  async run({ note_id: id, line, text: words, done, due, base_version, dry_run }, context) {
    if (line === undefined && words === undefined)
      throw fail('invalid_parameter', 'line: send line, text or both, to name the task');
    if (done === undefined && due === undefined)
      throw fail('invalid_parameter', 'done: send done, due or both, to change the task');
    if (due !== undefined && due !== '' && !isDate(due))
      throw fail('invalid_parameter', `due: must be a date as YYYY-MM-DD (got ${JSON.stringify(due)})`);
    return editNote(
      context,
      id,
      { baseVersion: base_version, dryRun: dry_run },
      (markdown) => context.noteText.setTask(context.caller.userId, markdown, { line, text: words, done, due }),
      ({ note, changes }) => ({ note_id: id, doc_id: id, version: note.version, changes }),
    );
  },
});
