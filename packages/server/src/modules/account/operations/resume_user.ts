import { z } from 'zod';
import { emptyObject } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { changeUserState } from '../keys-and-sessions.ts';
import { userId } from '../schema.ts';

export const resume_user = operation({
  name: 'resume_user',
  summary: 'Reactivates a suspended user.',
  effect: 'write',
  idempotent: true,
  ownerOnly: true,
  input: z.object({ user_id: userId() }),
  output: emptyObject,
  run(input, context) {
    return changeUserState(context, input.user_id, 'active');
  },
});
