import { z } from 'zod';
import { emptyObject } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { changeUserState } from '../keys-and-sessions.ts';
import { userId } from '../schema.ts';

export const delete_user = operation({
  name: 'delete_user',
  summary: "Permanently closes a user's account and ends all its access. Content the user wrote is kept.",
  effect: 'destroy',
  idempotent: true,
  ownerOnly: true,
  input: z.object({ user_id: userId() }),
  output: emptyObject,
  run(input, context) {
    return changeUserState(context, input.user_id, 'deleted');
  },
});
