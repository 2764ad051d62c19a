import { z } from 'zod';
import { emptyObject } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { changeUserState } from '../keys-and-sessions.ts';
import { userId } from '../schema.ts';

export const suspend_user = operation({
  name: 'suspend_user',
  summary: 'Suspends a user, whose access ends with the next request.',
  effect: 'write',
  idempotent: true,
  ownerOnly: true,
  input: z.object({ user_id: userId() }),
  output: emptyObject,
  run(input, context) {
    return changeUserState(context, input.user_id, 'suspended');
  },
});
