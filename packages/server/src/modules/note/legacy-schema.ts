import { z } from 'zod';
import { integer, text } from '../../kernel/field-schemas.ts';
import type { noteBookInfo } from './schema.ts';

/** Schema of a note with the field names that older clients expect. */
export const legacyNoteInfo = z.object({
  docid: text("The note's id."),
  title: text('Title.'),
  summary: text('The beginning of the text.'),
  create_time: integer('Unix milliseconds.'),
  modify_time: integer('Unix milliseconds.'),
  status: integer('State: 0 normal, 1 deleted.'),
  folder_id: text('Notebook that holds the note.'),
  folder_name: text('Its name.'),
  summary_style: z.record(z.string(), z.string()).meta({ description: 'Always empty.' }),
});

/**
 * Converts a note to the legacy field names. `status` is always 0 (normal), because lists and searches contain no
 * deleted notes.
 */
export function toLegacyNoteInfo(info: z.input<typeof noteBookInfo>): z.input<typeof legacyNoteInfo> {
  return {
    docid: info.note_id,
    title: info.title,
    summary: info.summary,
    create_time: info.create_time,
    modify_time: info.modify_time,
    status: 0,
    ...info.note_ext_info,
    summary_style: {},
  };
}
