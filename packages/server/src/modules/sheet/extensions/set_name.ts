import { fail } from '../../../kernel/errors.ts';
import { invalid } from '../errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { writeTool } from '../calls/tool.ts';
import { FormulaSyntaxError } from '@sheaf/engine';
import { defineName } from '@sheaf/engine/internal/mutations';

/** Matches names that cannot be defined, because formulas read them as booleans or as R1C1 references. */
const taken = /^(?:true|false|r\d*(?:c\d*)?|c\d*)$/i;

export const set_name = writeTool({
  name: 'set_name',
  summary: 'Defines a name for a range or formula, or changes what it stands for. To remove it use delete_object.',
  idempotent: true,
  input: {
    name: text('Letters, digits, . and _.', { min: 1, max: 255 }),
    refers_to: text('E.g. =Sheet1!$A$1:$B$9.', { min: 1, max: 8192 }),
    sheet_id: text('Where alone it is known.', { max: 64 }).optional(),
  },
  plan(document, input) {
    const scope = input.sheet_id ? { sheet: requireWorksheet(document, input.sheet_id).id } : {};
    if (taken.test(input.name))
      throw invalid(`name: must not be TRUE, FALSE or an address like R1C1 (got ${JSON.stringify(input.name)})`);
    const table = document.workbook.tables.tableNamed(input.name);
    if (table) throw fail('conflict', `name: there is a table ${JSON.stringify(table.name)}`);
    const formula = input.refers_to.startsWith('=') ? input.refers_to : `=${input.refers_to}`;
    try {
      document.workbook.templates.of(formula, 0, 0);
    } catch (error) {
      if (error instanceof FormulaSyntaxError) throw fail('formula', `refers_to: ${error.message}`);
      throw error;
    }
    const same = document
      .names()
      .some((one) => one.name === input.name && one.sheet === scope.sheet && one.formula === formula);
    return { mutations: same ? [] : [defineName.of({ name: input.name, ...scope, formula })] };
  },
});
