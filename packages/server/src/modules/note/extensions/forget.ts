import { fail } from '../../../kernel/errors.ts';
import { flag, integer, list, text } from '../../../kernel/field-schemas.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';
import { operation } from '../../../kernel/operation.ts';
import { readableApp } from '../memory/owner-app.ts';

export const forget = operation({
  summary:
    'Erases what agents noted by remember, for good: by ids, or all. An app and an API key erase their own, a person who ' +
    'is signed in those of all apps.\nExample: {"memory_ids":["memory_..."]}',
  effect: 'destroy',
  isOneWrite: true,
  input: {
    memory_ids: list('Which.', text('Id of a memory.', { min: 1, max: 80 }), { min: 1, max: 500 }).optional(),
    all: flag('True: everything.').optional(),
  },
  output: { erased: integer('Number of memories erased.') },
  async run({ memory_ids: ids, all = false }, context) {
    if ((ids === undefined) !== all) throw fail('invalid_parameter', 'memory_ids: send either memory_ids or all: true');
    const { memories, caller, stamp } = context;
    return writeAndAnswer(
      context,
      () => memories.erase(stamp, caller.userId, { appId: readableApp(caller), ids }),
      (erased) => ({ erased }),
    );
  },
});
