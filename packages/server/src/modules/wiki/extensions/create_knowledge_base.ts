import { newId } from '../../../lib/ids.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { coverUrlToStore } from '../cover-url.ts';
import { writeAndNotify } from '../wiki-writes.ts';
import { baseFields, refuseBlockedWords } from '../schema.ts';

export const create_knowledge_base = operation({
  summary: 'Creates a knowledge base owned by the caller.\nExample: {"name":"Physics","description":"Lecture notes"}',
  effect: 'write',
  isOneWrite: true,
  input: baseFields,
  output: {
    knowledge_base_id: text('Id of the new knowledge base, which is also the id of its root folder.'),
  },
  async run(input, context) {
    refuseBlockedWords(context, input);
    const coverUrl = coverUrlToStore(input.cover_url ?? '', context.publicUrl);
    const id = newId('kb');
    const base = {
      id,
      userId: context.caller.userId,
      name: input.name,
      description: input.description ?? '',
      coverUrl,
      questions: input.recommended_questions ?? [],
      isPersonal: false,
    };
    return writeAndNotify(
      context,
      { base: id, target: id },
      () => context.wiki.bases.createBase(context.stamp, base),
      () => ({ knowledge_base_id: id }),
    );
  },
});
