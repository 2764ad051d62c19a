import { z } from 'zod';
import { nothing } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { changeState } from '../model.ts';
import { userId } from '../schema.ts';

export const delete_user = operation({
  name: 'delete_user',
  summary: "Permanently closes a user's account and ends all its access. Content the user wrote is kept.",
  effect: 'destroy',
  idempotent: true,
  ownerOnly: true,
  input: z.object({ user_id: userId() }),
  output: nothing,
  run(input, context) {
    return changeState(context, input.user_id, 'deleted');
  },
});
