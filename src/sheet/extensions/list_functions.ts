import { z } from 'zod';
import { list, text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { functionSignatures } from '../function-signatures.ts';

export const list_functions = operation({
  name: 'list_functions',
  summary: 'Lists the functions that formulas can use, with their arguments. [x] may be left out, ... repeats.',
  effect: 'read',
  input: z.object({ search: text('Only names that contain this.', { max: 64 }).optional() }),
  output: z.object({
    functions: list(
      'By name.',
      z.object({
        name: text('Like SUM.'),
        family: text('What it is about.'),
        arguments: text('Like value, [digits].'),
      }),
    ),
  }),
  async run(input) {
    const search = (input.search ?? '').toUpperCase();
    return { functions: functionSignatures().filter((one) => one.name.includes(search)) };
  },
});
