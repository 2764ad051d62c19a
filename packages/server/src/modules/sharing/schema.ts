import { z } from 'zod';
import { flag, integer, oneOf, text } from '../../kernel/field-schemas.ts';
import { accessRoles, resourceKinds, type Grant, type Grantee, type Resource } from '../../ports/permission-store.ts';

export const kind = () => oneOf('Kind of the object: a note, notebook, knowledge base or spreadsheet.', resourceKinds);
export const id = () => text('Its note_id, folder_id, knowledge_base_id or file_id.', { min: 1, max: 256 });
export const resourceFields = { kind: kind(), id: id() };

/** Input fields that name with whom an object is shared: a user, a group or everyone. Callers must send exactly one. */
export const granteeFields = {
  user_id: text('A user.', { min: 1, max: 64 }).optional(),
  user_name: text('A user, by name.', { min: 1, max: 256 }).optional(),
  group_id: text('A group.', { min: 1, max: 64 }).optional(),
  group_name: text('A group, by name.', { min: 1, max: 256 }).optional(),
  everyone: flag('true: everyone who is signed in.').optional(),
};

export const role = () =>
  oneOf('"read" reads, "comment" also comments, "write" also edits.', ['read', 'comment', 'write']);

export const shareInfo = z.object({
  with: oneOf('Whom it is shared with.', ['user', 'group', 'everyone']),
  user_id: text('The user.').optional(),
  group_id: text('The group.').optional(),
  name: text('Name of the user or group; empty for everyone.'),
  role: oneOf('Role; "own" for an owner of a knowledge base.', accessRoles),
});

export function toShareInfo({ grantee, name, role: granted }: Grant): z.input<typeof shareInfo> {
  return {
    with: grantee.kind,
    ...(grantee.kind === 'user' ? { user_id: grantee.id } : {}),
    ...(grantee.kind === 'group' ? { group_id: grantee.id } : {}),
    name,
    role: granted,
  };
}

/** Output fields of a share: the shared object, and the user or group with whom it is shared. */
export const sharedWith = {
  kind: kind(),
  id: text("The object's id."),
  with: oneOf('Whom it is or was shared with.', ['user', 'group', 'everyone']),
  user_id: text('The user.').optional(),
  group_id: text('The group.').optional(),
};

export function toSharedWith({ kind: objectKind, id: objectId }: Resource, grantee: Grantee) {
  return {
    kind: objectKind,
    id: objectId,
    with: grantee.kind,
    ...(grantee.kind === 'user' ? { user_id: grantee.id } : {}),
    ...(grantee.kind === 'group' ? { group_id: grantee.id } : {}),
  };
}

export const sharedInfo = z.object({
  kind: kind(),
  id: text('Its id.'),
  title: text('Its title or name.'),
  role: oneOf("The caller's role.", accessRoles),
  owner_id: text('Whose it is.'),
  owner_name: text('Their name.'),
  modify_time: integer('Unix milliseconds.'),
});
