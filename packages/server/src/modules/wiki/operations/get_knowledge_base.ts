import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { formatValue } from '../../../kernel/parse-input.ts';
import { isWellFormedId } from '../permissions.ts';
import { knowledgeBaseInfo, toBaseInfo } from '../schema.ts';

export const get_knowledge_base = operation({
  summary:
    'Returns the name, description, cover and recommended questions of knowledge bases by id; ids without ' +
    'access are omitted.\nExample: {"ids":["kb_..."]}',
  effect: 'read',
  input: {
    ids: list('Ids of 1 to 20 knowledge bases, without duplicates.', text('A knowledge base.', { min: 1, max: 256 }), {
      min: 1,
      max: 20,
    }),
  },
  output: {
    infos: z.record(z.string(), knowledgeBaseInfo).meta({ description: 'Knowledge bases, keyed by id.' }),
  },
  async run({ ids }, context) {
    const twice = ids.find((id, index) => ids.indexOf(id) !== index);
    if (twice !== undefined)
      throw fail('invalid_parameter', `ids: must not contain duplicates (got ${formatValue(twice)} twice)`);
    const bases = await context.wiki.bases.bases(ids.filter(isWellFormedId), context.caller.userId);
    const infos = Object.create(null) as Record<string, z.input<typeof knowledgeBaseInfo>>;
    for (const base of bases) infos[base.id] = toBaseInfo(base, context.publicUrl);
    return { infos };
  },
});
