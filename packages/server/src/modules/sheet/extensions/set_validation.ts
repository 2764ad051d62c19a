import { invalid, overLimit } from '../errors.ts';
import { flag, oneOf, text } from '../../../kernel/field-schemas.ts';
import { writeTool, type WriteValues } from '../calls/tool.ts';
import { comparisons, type SheetDocument, type Validation, validationKinds } from '@sheaf/engine/internal/document';
import { putMark } from '@sheaf/engine/internal/mutations';
import {
  requireRangeObject,
  toFormulaOperands,
  dropUndefined,
  rangesField,
  refuseTooManyObjects,
  resolveRegions,
  valuesField,
} from '../objects/range-objects.ts';
import { defaultSheetField } from '../schema.ts';

const maxListLength = 8192;

const input = {
  ...defaultSheetField,
  validation_id: text('Rule to replace.', { max: 64 }).optional(),
  ...rangesField,
  kind: oneOf('What is allowed.', validationKinds),
  test: oneOf('Default: between.', comparisons).optional(),
  ...valuesField,
  required: flag('Blank is refused.').optional(),
  hide_list: flag('No drop-down.').optional(),
  prompt_title: text('Its heading.', { max: 255 }).optional(),
  prompt: text('Hint.', { max: 1000 }).optional(),
  error_title: text('Its heading.', { max: 255 }).optional(),
  error: text('Message for an invalid value.', { max: 1000 }).optional(),
  error_style: oneOf('Only stop refuses. Default: stop.', ['stop', 'warning', 'information']).optional(),
};

export const set_validation = writeTool({
  name: 'set_validation',
  summary:
    'Adds or replaces data validation: what people may enter, e.g. a drop-down. Tools enforce it only with ' +
    'enforce_validation.\nExample: {"ranges":["C2:C99"],"kind":"list","values":["open","done"]}',
  input,
  output: { validation_id: text('Id of the rule.') },
  plan(document, given, call) {
    const { sub, regions } = resolveRegions(document, given);
    if (given.validation_id) requireRangeObject(sub, 'validations', given.validation_id, 'validation_id');
    else refuseTooManyObjects(sub, 'validations');
    const id = given.validation_id || call.newId('validation');
    const formulas = formulasOf(document, given, regions);
    const isCompared = !['list', 'custom', 'any'].includes(given.kind);
    const rule = dropUndefined({
      id,
      regions,
      kind: given.kind,
      ...(formulas.length > 0 ? { formulas } : {}),
      ...(isCompared ? { test: given.test ?? 'between' } : {}),
      ...(given.required ? { required: true } : {}),
      ...(given.hide_list ? { hidesList: true } : {}),
      ...(given.prompt || given.prompt_title ? { prompt: { title: given.prompt_title, text: given.prompt } } : {}),
      ...(given.error || given.error_title || given.error_style
        ? {
            error: {
              style: given.error_style === 'stop' ? undefined : given.error_style,
              title: given.error_title,
              text: given.error,
            },
          }
        : {}),
    }) as Validation;
    return { mutations: [putMark.of({ sheet: sub.id, list: 'validations', mark: rule })], data: { validation_id: id } };
  },
});

function formulasOf(
  document: SheetDocument,
  { kind, test = 'between', values = [] }: WriteValues<typeof input>,
  regions: Validation['regions'],
): string[] {
  const isListed = kind === 'list' && !(values.length === 1 && values[0]!.startsWith('='));
  const needed = kind === 'any' ? 0 : kind === 'list' || kind === 'custom' || !test.endsWith('between') ? 1 : 2;
  if (values.length < needed)
    throw invalid(
      `values: must have at least ${needed} ${needed === 1 ? 'entry' : 'entries'} here (got ${values.length})`,
    );
  if (!isListed) return toFormulaOperands(document, values.slice(0, needed), regions);
  const comma = values.findIndex((one) => one.includes(','));
  if (comma >= 0) throw invalid(`values[${comma}]: must not contain a comma; list a range with = instead`);
  // The schema limits only the length of each value. Limit the length of the joined list too, because it is stored as
  // one text.
  const joined = values.join(',');
  if (joined.length > maxListLength)
    throw overLimit(`values: a list has at most ${maxListLength} characters, commas included (got ${joined.length})`);
  return [`"${joined.replaceAll('"', '""')}"`];
}
