import { z } from 'zod';
import { flag, emptyObject, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { presenceTopic } from '../../sheet/events.ts';
import { fileId } from '../schema.ts';

export const announce = operation({
  name: 'announce',
  summary: 'Shows others who have the document open where you are.',
  effect: 'read',
  input: z.object({
    file_id: fileId(),
    place: text('As <sheet_id>$B2:C9.', { max: 128 }).optional(),
    client: text('Which of your windows.', { max: 64 }).optional(),
    left: flag('You leave.').optional(),
  }),
  output: emptyObject,
  async run(input, context) {
    const { caller } = context;
    const { document } = await context.documents.access(context, input.file_id, 'viewer');
    await context.events.publish(presenceTopic(document.id), {
      presence: {
        client: `${caller.keyId} ${input.client ?? ''}`,
        user_id: caller.userId,
        key_id: caller.keyId,
        name: caller.userName,
        is_agent: caller.via !== 'session',
        place: input.place ?? '',
        left: input.left ?? false,
      },
    });
    return {};
  },
});
