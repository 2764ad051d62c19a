import { z } from 'zod';
import { fail } from '../../operation/errors.ts';
import { list, text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { show } from '../../operation/parse.ts';
import { isId } from '../permissions.ts';
import { knowledgeBaseInfo, toBaseInfo } from '../schema.ts';

export const get_knowledge_base = operation({
  name: 'get_knowledge_base',
  summary:
    'Tells about knowledge bases by id: name, description, cover, recommended questions. Ids that the ' +
    'caller cannot see are left out. To find bases by name use search_knowledge_base.\nExample: ' +
    '{"ids":["kb_..."]}',
  effect: 'read',
  input: z.object({
    ids: list('1 to 20 different ids.', text('A knowledge base.', { min: 1, max: 256 }), { min: 1, max: 20 }),
  }),
  output: z.object({
    infos: z.record(z.string(), knowledgeBaseInfo).meta({ description: 'The knowledge bases by id.' }),
  }),
  async run({ ids }, context) {
    const twice = ids.find((id, index) => ids.indexOf(id) !== index);
    if (twice !== undefined)
      throw fail('invalid_parameter', `ids: must not hold an id twice (got ${show(twice)} again)`);
    const bases = await context.wiki.bases.bases(ids.filter(isId), context.caller.userId);
    const infos = Object.create(null) as Record<string, z.input<typeof knowledgeBaseInfo>>;
    for (const base of bases) infos[base.id] = toBaseInfo(base, context.address);
    return { infos };
  },
});
