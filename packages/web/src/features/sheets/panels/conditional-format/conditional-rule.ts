import type { Translate, MessageKey } from '../../../../i18n/use-translation.ts';
import type { ToolInput } from '../../sheet-session.ts';

type Given = ToolInput<'set_conditional_format'>;
export type RuleKind = Given['kind'];
export type RuleStyle = NonNullable<Given['style']>;

/** The input of set_conditional_format without the sheet, id and position. */
export type RuleFields = Omit<Given, 'sheet_id' | 'format_id' | 'position' | 'return_changes' | 'dry_run' | 'assert'>;

/** A rule as list_objects returns it: its limits may be formulas. */
export interface Rule extends Omit<RuleFields, 'steps'> {
  readonly format_id: string;
  readonly steps?: readonly { readonly type: string; readonly value?: number | string }[];
}

/** A rule that is being edited. */
export type RuleDraft = Omit<Rule, 'format_id'>;

export const kindLabels: Readonly<Record<RuleKind, MessageKey>> = {
  cell: 'ruleCell',
  text: 'ruleText',
  date: 'ruleDate',
  top: 'ruleTop',
  average: 'ruleAverage',
  duplicate: 'ruleDuplicate',
  unique: 'ruleUnique',
  blank: 'ruleBlank',
  not_blank: 'ruleNotBlank',
  error: 'ruleError',
  not_error: 'ruleNotError',
  formula: 'ruleFormula',
  scale: 'ruleScale',
  bar: 'ruleBar',
  icons: 'ruleIcons',
};

export const comparisonLabels = {
  between: 'between',
  not_between: 'notBetween',
  equal: 'equal',
  not_equal: 'notEqual',
  greater: 'greater',
  less: 'less',
  greater_or_equal: 'greaterOrEqual',
  less_or_equal: 'lessOrEqual',
} as const satisfies Record<string, MessageKey>;

export const textTestLabels = {
  contains: 'contains',
  not_contains: 'notContains',
  begins_with: 'beginsWith',
  ends_with: 'endsWith',
} as const satisfies Record<string, MessageKey>;

export const periodLabels = {
  yesterday: 'yesterday',
  today: 'today',
  tomorrow: 'tomorrow',
  last_7_days: 'last7Days',
  last_week: 'lastWeek',
  this_week: 'thisWeek',
  next_week: 'nextWeek',
  last_month: 'lastMonth',
  this_month: 'thisMonth',
  next_month: 'nextMonth',
} as const satisfies Record<string, MessageKey>;

export const iconSets = [
  '3TrafficLights1',
  '3Arrows',
  '3Symbols',
  '3Flags',
  '3Signs',
  '4Rating',
  '5Arrows',
  '5Quarters',
];

export const hasStyle = (kind: RuleKind): boolean => kind !== 'scale' && kind !== 'bar' && kind !== 'icons';

/** Describes a rule in a few words. */
export function describeRule(rule: Omit<Rule, 'format_id'>, text: Translate): string {
  const [first = '', second = ''] = rule.values ?? [];
  const test = rule.test === undefined ? undefined : { ...comparisonLabels, ...textTestLabels }[rule.test];
  switch (rule.kind) {
    case 'cell':
    case 'text':
      return `${test ? text(test) : ''} ${rule.test?.endsWith('between') ? `${first} – ${second}` : first}`.trim();
    case 'date':
      return rule.period === undefined ? text('ruleDate') : text(periodLabels[rule.period]);
    case 'top':
      return `${text(rule.below ? 'ruleLowest' : 'ruleHighest')} ${rule.rank ?? 10}${rule.percent ? ' %' : ''}`;
    case 'average':
      return text(rule.below ? 'ruleBelow' : 'ruleAbove');
    case 'formula':
      return first;
    default:
      return text(kindLabels[rule.kind]);
  }
}

/** Returns only the fields that apply to the rule's kind. */
export function fieldsOf(rule: Omit<Rule, 'format_id'>): RuleFields {
  const { kind, ranges, stop_if_true } = rule;
  const fields: RuleFields = { kind, ranges, ...(stop_if_true ? { stop_if_true } : {}) };
  if (hasStyle(kind)) fields.style = rule.style ?? {};
  if (kind === 'cell' || kind === 'text') fields.test = rule.test;
  if (kind === 'cell' || kind === 'text' || kind === 'formula')
    fields.values = (rule.values ?? []).slice(0, kind === 'cell' && rule.test?.endsWith('between') ? 2 : 1);
  if (kind === 'date') fields.period = rule.period;
  if (kind === 'top') Object.assign(fields, { rank: rule.rank ?? 10, percent: rule.percent, below: rule.below });
  if (kind === 'average') Object.assign(fields, { below: rule.below, equal: rule.equal, deviations: rule.deviations });
  if (kind === 'scale' || kind === 'bar') fields.colors = rule.colors;
  if (kind === 'icons') Object.assign(fields, { icons: rule.icons, reverse: rule.reverse });
  if (kind === 'bar' || kind === 'icons') fields.hide_value = rule.hide_value;
  if (!hasStyle(kind) && rule.steps) fields.steps = rule.steps as RuleFields['steps'];
  return JSON.parse(JSON.stringify(fields)) as RuleFields;
}

/** True if a limit is a formula, which the sheet preserves but the tool does not accept. */
export function hasFormulaSteps({ steps }: Pick<Rule, 'steps'>): boolean {
  return steps?.some(({ value }) => typeof value === 'string') === true;
}
