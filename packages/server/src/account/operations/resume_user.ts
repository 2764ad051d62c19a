import { z } from 'zod';
import { nothing } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { changeState } from '../model.ts';
import { userId } from '../schema.ts';

export const resume_user = operation({
  name: 'resume_user',
  summary: 'Reactivates a suspended user.',
  effect: 'write',
  idempotent: true,
  ownerOnly: true,
  input: z.object({ user_id: userId() }),
  output: nothing,
  run(input, context) {
    return changeState(context, input.user_id, 'active');
  },
});
