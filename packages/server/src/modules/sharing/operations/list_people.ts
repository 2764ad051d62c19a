import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { requireVisible } from '../../../kernel/resource-kinds.ts';
import { includesRole } from '../../../ports/permission-store.ts';
import { resourceFields } from '../schema.ts';

export const list_people = operation({
  summary:
    'Lists the people who may read an object, by name: those whom a comment can mention as @name. Who may comment may ask.\n' +
    'Example: {"kind":"note","id":"note_...","name":"ad"}',
  effect: 'read',
  input: {
    ...resourceFields,
    name: text('Part of the name.', { max: 64 }).optional(),
    limit: integer('Maximum number of results. Default: 20.', { min: 1, max: 100 }).optional(),
  },
  output: {
    people: list('Active users.', z.object({ user_id: text('User id.'), name: text('Name.') })),
  },
  async run({ kind, id, name = '', limit = 20 }, context) {
    const role = await requireVisible(context, { kind, id }, 'read');
    if (!includesRole(role, 'comment'))
      throw fail('no_permission', 'id: it is shared with you to read; only who may comment sees who else reads it');
    const people = await context.inboxStore.readers({ kind, id }, name, limit);
    return { people: people.map((user) => ({ user_id: user.id, name: user.name })) };
  },
});
