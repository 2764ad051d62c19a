import { z } from 'zod';
import { invalid } from '../errors.ts';
import { double, flag, integer, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { writeTool, type WriteValues } from '../calls/tool.ts';
import {
  comparisons,
  datePeriods,
  formatKinds,
  textTests,
  type ConditionalFormat,
  type FormatStep,
  type Style,
} from '@sheaf/engine/internal/document';
import { putMark } from '@sheaf/engine/internal/mutations';
import { normalizeArgb } from '../styles/colors.ts';
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

/** Icon sets of the xlsx format. Other programs refuse to open a file that names any other icon set. */
const iconSets: readonly string[] = (
  '3Arrows 3ArrowsGray 3Flags 3TrafficLights1 3TrafficLights2 3Signs 3Symbols 3Symbols2 ' +
  '4Arrows 4ArrowsGray 4RedToBlack 4Rating 4TrafficLights 5Arrows 5ArrowsGray 5Rating 5Quarters'
).split(' ');

const stepTypes = ['min', 'max', 'number', 'percent', 'percentile', 'formula'] as const;

export const formatStyleFields = z.object({
  bold: flag('Bold.').optional(),
  italic: flag('Italic.').optional(),
  strike_through: flag('Struck through.').optional(),
  underline: flag('Underlined.').optional(),
  font_color: text('RRGGBB.', { max: 9 }).optional(),
  bg_color: text('RRGGBB.', { max: 9 }).optional(),
});

const input = {
  ...defaultSheetField,
  format_id: text('Rule to replace.', { max: 64 }).optional(),
  ...rangesField,
  kind: oneOf('Kind of condition.', formatKinds),
  test: oneOf('With kind cell or text.', [...comparisons, ...textTests]).optional(),
  ...valuesField,
  period: oneOf('With kind date.', datePeriods).optional(),
  rank: integer('Kind top: how many. Default: 10.', { min: 1, max: 1000 }).optional(),
  percent: flag('Rank is a percentage.').optional(),
  below: flag('Kind top, average: the lowest, or below.').optional(),
  equal: flag('Kind average: the average too.').optional(),
  deviations: integer('Kind average: standard deviations.', { min: 0, max: 9 }).optional(),
  style: formatStyleFields
    .meta({
      'x-listed': 'object',
      description: 'bold, italic, strike_through, underline: true; font_color, bg_color: RRGGBB.',
    })
    .optional(),
  colors: list('Kind scale: 2 or 3; bar: 1. RRGGBB.', text('A color.', { max: 9 }), { max: 3 }).optional(),
  icons: text('Kind icons: set, e.g. 3Arrows, 4Rating, 5Quarters.', { max: 64 }).optional(),
  steps: list(
    'Limits of scale, bar or icons, from the lowest.',
    z.object({ type: oneOf('Meaning of value.', stepTypes), value: double('Number.').optional() }),
    { min: 2, max: 5 },
  )
    .meta({
      'x-listed': 'array',
      description:
        'Limits from the lowest, e.g. {"type":"percent","value":50}; type min, max, number, percent, percentile or formula.',
    })
    .optional(),
  reverse: flag('Icons in reverse order.').optional(),
  hide_value: flag('Bars, icons: without the value.').optional(),
  stop_if_true: flag('Later rules are skipped.').optional(),
  position: integer('0 is first. Default: last.', { min: 0 }).optional(),
};

type Given = WriteValues<typeof input>;

export const set_conditional_format = writeTool({
  name: 'set_conditional_format',
  summary:
    'Adds or replaces a conditional format.\n' +
    'Example: {"ranges":["B2:B99"],"kind":"cell","test":"greater","values":["100"],"style":{"bg_color":"FFC7CE"}}',
  input,
  output: { format_id: text('Id of the rule.') },
  plan(document, given, call) {
    const { sub, regions } = resolveRegions(document, given);
    if (given.format_id) requireRangeObject(sub, 'formats', given.format_id, 'format_id');
    else refuseTooManyObjects(sub, 'formats');
    const id = given.format_id || call.newId('format');
    const steps = stepsOf(given);
    const formulas = steps
      ? steps.map(({ value }) => (value === undefined ? '' : String(value)))
      : toFormulaOperands(document, given.values ?? [], regions);
    refuseMissing(given, formulas);
    const rule: ConditionalFormat = dropUndefined({
      id,
      regions,
      kind: given.kind,
      ...(formulas.length > 0 ? { formulas } : {}),
      ...(given.kind === 'cell' || given.kind === 'text' ? { test: given.test } : {}),
      ...(given.kind === 'date' ? { period: given.period } : {}),
      ...(given.kind === 'top' ? { rank: given.rank ?? 10 } : {}),
      ...on('percent', given.percent),
      ...on('below', given.below),
      ...on('equal', given.equal),
      ...(given.deviations ? { deviations: given.deviations } : {}),
      ...(given.style && !steps ? { style: styleOf(given.style) } : {}),
      ...on('stop', given.stop_if_true),
      ...(steps ? { steps: steps.map(({ value: _, ...step }) => step) } : {}),
      ...(given.kind === 'bar' ? { color: normalizeArgb('colors[0]', given.colors?.[0] ?? '638EC6') } : {}),
      ...(given.kind === 'icons' ? { icons: iconsOf(given) } : {}),
      ...on('reverse', given.reverse),
      ...on('hidesValue', given.hide_value),
    } as ConditionalFormat);
    const at = given.position === undefined ? {} : { at: Math.min(given.position, sub.formats.length) };
    return { mutations: [putMark.of({ sheet: sub.id, list: 'formats', mark: rule, ...at })], data: { format_id: id } };
  },
});

function on<Key extends string>(key: Key, value: boolean | undefined): Partial<Record<Key, true>> {
  return value ? ({ [key]: true } as Record<Key, true>) : {};
}

function styleOf(given: z.output<typeof formatStyleFields>): Style {
  return {
    ...on('bold', given.bold),
    ...on('italic', given.italic),
    ...on('strikeThrough', given.strike_through),
    ...(given.underline ? { underline: 'single' } : {}),
    ...(given.font_color ? { fontColor: normalizeArgb('style.font_color', given.font_color) } : {}),
    ...(given.bg_color ? { bgColor: normalizeArgb('style.bg_color', given.bg_color) } : {}),
  };
}

function iconsOf({ icons = '3TrafficLights1' }: Given): string {
  if (!iconSets.includes(icons))
    throw invalid(`icons: must be one of ${iconSets.join(', ')} (got ${JSON.stringify(icons)})`);
  return icons;
}

function stepsOf(given: Given): (FormatStep & { value?: number })[] | undefined {
  const { kind, colors = [] } = given;
  if (kind !== 'scale' && kind !== 'bar' && kind !== 'icons') return undefined;
  const count = kind === 'icons' ? Number(iconsOf(given)[0]) : kind === 'bar' ? 2 : colors.length;
  if (kind === 'scale' && count < 2) throw invalid(`colors: must have 2 or 3 entries with kind scale (got ${count})`);
  const steps: (FormatStep & { value?: number })[] = given.steps ?? usualSteps(kind, count);
  if (steps.length !== count) throw invalid(`steps: must have ${count} entries here (got ${steps.length})`);
  steps.forEach(({ type, value }, index) => {
    if (type !== 'min' && type !== 'max' && value === undefined)
      throw invalid(`steps[${index}].value: is required with type ${type}`);
  });
  return steps.map((step, index) =>
    kind === 'scale' ? { ...step, color: normalizeArgb(`colors[${index}]`, colors[index] ?? 'FFFFFF') } : step,
  );
}

function usualSteps(kind: 'scale' | 'bar' | 'icons', count: number): (FormatStep & { value?: number })[] {
  if (kind === 'icons')
    return Array.from({ length: count }, (_, i) => ({ type: 'percent', value: Math.round((i * 100) / count) }));
  return count === 3
    ? [{ type: 'min' }, { type: 'percentile', value: 50 }, { type: 'max' }]
    : [{ type: 'min' }, { type: 'max' }];
}

/** Throws if a field is missing that a conditional format rule of this kind requires. */
function refuseMissing({ kind, test, period }: Given, formulas: readonly string[]): void {
  const isText = (textTests as readonly string[]).includes(test ?? '');
  if (kind === 'cell' && (test === undefined || isText))
    throw invalid(`test: must be one of ${comparisons.join(', ')} with kind cell`);
  if (kind === 'text' && !isText) throw invalid(`test: must be one of ${textTests.join(', ')} with kind text`);
  if (kind === 'date' && period === undefined) throw invalid('period: is required with kind date');
  const needed = kind === 'cell' ? (test?.endsWith('between') ? 2 : 1) : kind === 'text' || kind === 'formula' ? 1 : 0;
  if (formulas.length < needed)
    throw invalid(`values: must have ${needed} ${needed === 1 ? 'entry' : 'entries'} here (got ${formulas.length})`);
}
