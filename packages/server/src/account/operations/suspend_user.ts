import { z } from 'zod';
import { nothing } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { changeState } from '../model.ts';
import { userId } from '../schema.ts';

export const suspend_user = operation({
  name: 'suspend_user',
  summary: 'Suspends a user, whose access ends with the next request.',
  effect: 'write',
  idempotent: true,
  ownerOnly: true,
  input: z.object({ user_id: userId() }),
  output: nothing,
  run(input, context) {
    return changeState(context, input.user_id, 'suspended');
  },
});
