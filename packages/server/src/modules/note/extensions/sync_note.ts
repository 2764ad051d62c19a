import { z } from 'zod';
import { fail, type Failure } from '../../../kernel/errors.ts';
import { flag, integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { RoomRefused, type RoomRefusal } from '../../../ports/note-rooms.ts';
import { requireNote } from '../note-access.ts';
import { maxUpdateBytes } from '../rooms/check-update.ts';
import { minOperationClient } from '../rooms/room-text.ts';
import { noteIdFields, noteIds, plainString } from '../schema.ts';
import { toFailure } from '../store-errors.ts';

const maxClient = minOperationClient - 1;
const base64 = (description: string, maxBytes: number) =>
  z
    .base64('must be base64')
    .max(Math.ceil(maxBytes / 3) * 4)
    .meta({ description });

const person = z.object({
  client: integer('Yjs client id.'),
  user_id: text("The user's id."),
  name: text("The user's name."),
  cursor: text('As sent by the person.'),
});

export const sync_note = operation({
  summary:
    'Exchanges changes of a note that several people and agents have open at once, as updates of Yjs 13 to the text ' +
    '"markdown" (docs/guide/writing-together.md). To change a note from outside use edit_note or append_doc, which are ' +
    'merged into the open text.\nExample: {"note_id":"note_...","client":4242}',
  effect: 'write',
  idempotent: true,
  isUnlisted: true,
  input: {
    ...noteIdFields,
    client: integer('Yjs client id of the sender, random and kept while the note is open.', { min: 1, max: maxClient }),
    room_id: plainString('room_id of an earlier answer, if the sender has its document.', { max: 100 }).optional(),
    state_vector: base64("State vector of the sender's document.", 256 * 1024).optional(),
    update: base64('Changes of the sender, as one update.', maxUpdateBytes).optional(),
    cursor: plainString('Selection of the sender, passed on to the others as it is.', { max: 120 }).optional(),
    leave: flag('Whether the sender closes the note.').optional(),
  },
  output: {
    ...noteIds,
    room_id: text('Id of the shared document. If it differs from the one sent, update is the whole document.'),
    update: text('What the sender lacks, as base64.'),
    version: integer('Version of the note that was last written. The changes since are stored and not yet a version.'),
    people: list('People in the note.', person),
  },
  aliases: { doc_id: 'note_id' },
  async run(input, context) {
    const { note_id: id, client, room_id: roomId, state_vector: stateVector, update, cursor, leave } = input;
    const note = await requireNote(context, id, 'write');
    const { userId, userName, keyId } = context.caller;
    const user = { userId, name: userName, keyId, requestId: context.requestId };
    const message = { noteId: id, authorId: note.userId, user, client, roomId, stateVector, update, cursor };
    try {
      const reply = await context.noteRooms.sync({ ...message, isLeaving: leave });
      const { version, people } = reply;
      return { note_id: id, doc_id: id, room_id: reply.roomId, update: reply.update, version, people: [...people] };
    } catch (error) {
      if (error instanceof RoomRefused) throw failureOf(error.why);
      throw error;
    }
  },
});

function failureOf(why: RoomRefusal): Failure {
  if (why.reason === 'note') return toFailure(why.why, 'no_permission');
  if (why.reason === 'busy') return fail('busy', why.message);
  if (why.reason === 'outdated') return fail('conflict', why.message);
  return fail('invalid_parameter', why.message.startsWith('client:') ? why.message : `update: ${why.message}`);
}
