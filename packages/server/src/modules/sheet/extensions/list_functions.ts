import { z } from 'zod';
import { list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { listFunctionSignatures } from '../function-signatures.ts';

export const list_functions = operation({
  name: 'list_functions',
  summary: 'Lists the functions available in formulas with their arguments. [x] is optional; ... repeats.',
  effect: 'read',
  input: z.object({ search: text('Text that names must contain.', { max: 64 }).optional() }),
  output: z.object({
    functions: list(
      'Name.',
      z.object({
        name: text('Function name, e.g. SUM.'),
        family: text('Description.'),
        arguments: text('Arguments, e.g. value, [digits].'),
      }),
    ),
  }),
  async run(input) {
    const search = (input.search ?? '').toUpperCase();
    return { functions: listFunctionSignatures().filter((one) => one.name.includes(search)) };
  },
});
