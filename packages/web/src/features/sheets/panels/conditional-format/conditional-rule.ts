import type { Translate, MessageKey } from '../../../../i18n/use-translation.ts';
import type { ToolInput } from '../../sheet-session.ts';

type Given = ToolInput<'set_conditional_format'>;
export type RuleKind = Given['kind'];
export type RuleStyle = NonNullable<Given['style']>;

/**
 * Parameters of the server's `set_conditional_format` operation that describe the rule itself, without sheet, id and
 * position.
 */
export type RuleFields = Omit<Given, 'sheet_id' | 'format_id' | 'position' | 'return_changes' | 'dry_run' | 'assert'>;

/**
 * A conditional format rule as `list_objects` returns it. Steps are the thresholds of color scales, data bars and icon
 * sets. Their values can be formulas, unlike in the input of `set_conditional_format`.
 */
export interface Rule extends Omit<RuleFields, 'steps'> {
  readonly format_id: string;
  readonly steps?: readonly { readonly type: string; readonly value?: number | string }[];
}

export type RuleDraft = Omit<Rule, 'format_id'>;

export interface RuleFormProps {
  readonly draft: RuleDraft;
  readonly change: (more: Partial<RuleDraft>) => void;
  readonly text: Translate;
}

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

export function describeRule(rule: RuleDraft, text: Translate): string {
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

const ownFields: Readonly<Partial<Record<RuleKind, readonly (keyof RuleFields)[]>>> = {
  cell: ['style', 'test', 'values'],
  text: ['style', 'test', 'values'],
  formula: ['style', 'values'],
  date: ['style', 'period'],
  top: ['style', 'rank', 'percent', 'below'],
  average: ['style', 'below', 'equal', 'deviations'],
  scale: ['colors', 'steps'],
  bar: ['colors', 'hide_value', 'steps'],
  icons: ['icons', 'reverse', 'hide_value', 'steps'],
};

/** Returns only the fields that apply to the rule's kind, because `set_conditional_format` accepts no others. */
export function fieldsOf(rule: RuleDraft): RuleFields {
  const { kind, stop_if_true, style = {}, rank = 10, values = [] } = rule;
  const limits = values.slice(0, kind === 'cell' && rule.test?.endsWith('between') ? 2 : 1);
  const given = { ...rule, style, rank, values: limits };
  const names = [
    'kind' as const,
    'ranges' as const,
    ...(stop_if_true ? ['stop_if_true' as const] : []),
    ...(ownFields[kind] ?? ['style' as const]),
  ];
  return JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, given[name]])))) as RuleFields;
}

/**
 * Returns whether a threshold of a color scale, data bar or icon set is a formula. Imported rules may have such
 * thresholds, but `set_conditional_format` does not accept them.
 */
export function hasFormulaSteps({ steps }: Pick<Rule, 'steps'>): boolean {
  return steps?.some(({ value }) => typeof value === 'string') === true;
}
