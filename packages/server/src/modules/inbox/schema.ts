import { z } from 'zod';
import { flag, integer, list, oneOf, text } from '../../kernel/field-schemas.ts';
import { lineTypes } from '../../ports/inbox.ts';
import { resourceKinds } from '../../ports/permission-store.ts';

export const kind = () => oneOf('Kind of the object: a note, notebook, knowledge base or spreadsheet.', resourceKinds);
export const id = () => text('Its note_id, folder_id, knowledge_base_id or file_id.', { min: 1, max: 256 });
export const lineId = () => text('Id of a line.', { min: 1, max: 200 });

export const lineInfo = z.object({
  line_id: text('Its id; a line about the same thing keeps it.'),
  type: oneOf(
    '"mention", "reply" and "comment": what was said; "share"; "change": what you follow; "agent": by your key or app.',
    lineTypes,
  ),
  is_read: flag('Whether it was read and nothing came since.'),
  time: integer('Time of the newest thing in it, in Unix milliseconds.'),
  count: integer('Number of things it stands for.'),
  kind: kind().optional(),
  id: text('Id of the object.').optional(),
  title: text('Its title.').optional(),
  by: list('Who did it, the last one first.', z.object({ user_id: text('User id.'), name: text('Name.') })),
  comment_id: text('Thread of the comment.').optional(),
  entry_id: text('The comment.').optional(),
  text: text('What was said, cut if long.').optional(),
  key_id: text('API key or connected app that acted for you.').optional(),
  key_name: text('Its name.').optional(),
  operations: list(
    'What it did most.',
    z.object({ operation: text('Operation.'), count: integer('How often.') }),
  ).optional(),
});
