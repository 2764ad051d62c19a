import type { Comparison, ConditionalFormat, FormatKind, ValidationKind } from '@sheaf/engine/internal/document';

/** Names of the comparison operators in an XLSX file. */

export const operators: Readonly<Record<Comparison, string>> = {
  between: 'between',
  not_between: 'notBetween',
  equal: 'equal',
  not_equal: 'notEqual',
  greater: 'greaterThan',
  less: 'lessThan',
  greater_or_equal: 'greaterThanOrEqual',
  less_or_equal: 'lessThanOrEqual',
};

export const textRules = {
  contains: { type: 'containsText', operator: 'containsText' },
  not_contains: { type: 'notContainsText', operator: 'notContains' },
  begins_with: { type: 'beginsWith', operator: 'beginsWith' },
  ends_with: { type: 'endsWith', operator: 'endsWith' },
} as const;

export const periods: Readonly<Record<NonNullable<ConditionalFormat['period']>, string>> = {
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
};

/**
 * Values of the `type` attribute of a conditional formatting rule in an XLSX file. Text rules are missing, because each
 * of their four tests has a separate type.
 */
export const ruleTypes: Readonly<Record<Exclude<FormatKind, 'text'>, string>> = {
  cell: 'cellIs',
  date: 'timePeriod',
  top: 'top10',
  average: 'aboveAverage',
  duplicate: 'duplicateValues',
  unique: 'uniqueValues',
  blank: 'containsBlanks',
  not_blank: 'notContainsBlanks',
  error: 'containsErrors',
  not_error: 'notContainsErrors',
  formula: 'expression',
  scale: 'colorScale',
  bar: 'dataBar',
  icons: 'iconSet',
};

export const thresholdTypes = {
  min: 'min',
  max: 'max',
  number: 'num',
  percent: 'percent',
  percentile: 'percentile',
  formula: 'formula',
} as const;

export const validationTypes: Readonly<Record<ValidationKind, string>> = {
  any: 'none',
  list: 'list',
  whole: 'whole',
  decimal: 'decimal',
  date: 'date',
  time: 'time',
  length: 'textLength',
  custom: 'custom',
};

export function keyByName<Key extends string>(names: Readonly<Record<Key, string>>, name: string): Key | undefined {
  return (Object.keys(names) as Key[]).find((key) => names[key] === name);
}
