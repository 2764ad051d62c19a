import { type BaseKind, type FunctionDef, functionNamed, functionNames } from '@sheaf/engine';

interface Signature {
  name: string;
  family: string;
  arguments: string;
}

/** Argument names of common functions; for others, the argument types are listed. */
const argumentNames: Readonly<Record<string, string>> = {
  IF: 'condition, then, [otherwise]',
  LET: 'name, value, ..., calculation',
  LAMBDA: '[parameter], ..., calculation',
  ISOMITTED: 'parameter',
  IFS: 'condition, value, ...',
  IFERROR: 'value, if_error',
  IFNA: 'value, if_na',
  SWITCH: 'expression, value, result, ..., [default]',
  CHOOSE: 'index, value, ...',
  SUM: 'value, ...',
  AVERAGE: 'value, ...',
  COUNT: 'value, ...',
  COUNTA: 'value, ...',
  MAX: 'value, ...',
  MIN: 'value, ...',
  PRODUCT: 'value, ...',
  MEDIAN: 'value, ...',
  SUMIF: 'range, criterion, [sum_range]',
  SUMIFS: 'sum_range, range, criterion, ...',
  COUNTIF: 'range, criterion',
  COUNTIFS: 'range, criterion, ...',
  AVERAGEIF: 'range, criterion, [average_range]',
  AVERAGEIFS: 'average_range, range, criterion, ...',
  MAXIFS: 'max_range, range, criterion, ...',
  MINIFS: 'min_range, range, criterion, ...',
  SUMPRODUCT: 'array, ...',
  SUBTOTAL: 'function_number, range, ...',
  AGGREGATE: 'function_number, options, range, ...',
  ROUND: 'number, digits',
  ROUNDUP: 'number, digits',
  ROUNDDOWN: 'number, digits',
  MROUND: 'number, multiple',
  CEILING: 'number, significance',
  FLOOR: 'number, significance',
  MOD: 'number, divisor',
  POWER: 'number, power',
  LOG: 'number, [base]',
  RANDBETWEEN: 'low, high',
  VLOOKUP: 'value, table, column, [approximate]',
  HLOOKUP: 'value, table, row, [approximate]',
  XLOOKUP: 'value, lookup_range, return_range, [if_missing], [match_mode], [search_mode]',
  XMATCH: 'value, lookup_range, [match_mode], [search_mode]',
  LOOKUP: 'value, lookup_range, [result_range]',
  INDEX: 'range, row, [column]',
  MATCH: 'value, lookup_range, [match_type]',
  OFFSET: 'reference, rows, columns, [height], [width]',
  INDIRECT: 'text, [a1]',
  ADDRESS: 'row, column, [kind], [a1], [sheet]',
  HYPERLINK: 'url, [text]',
  FILTER: 'array, include, [if_empty]',
  SORT: 'array, [column], [order], [by_column]',
  SORTBY: 'array, by_array, [order], ...',
  UNIQUE: 'array, [by_column], [exactly_once]',
  SEQUENCE: 'rows, [columns], [start], [step]',
  TAKE: 'array, rows, [columns]',
  DROP: 'array, rows, [columns]',
  VSTACK: 'array, ...',
  HSTACK: 'array, ...',
  MAP: 'array, ..., lambda',
  REDUCE: 'start, array, lambda',
  LEFT: 'text, [count]',
  RIGHT: 'text, [count]',
  MID: 'text, start, count',
  FIND: 'find, within, [start]',
  SEARCH: 'find, within, [start]',
  SUBSTITUTE: 'text, old, new, [occurrence]',
  REPLACE: 'text, start, count, new',
  TEXT: 'value, format',
  TEXTJOIN: 'delimiter, ignore_empty, text, ...',
  TEXTSPLIT: 'text, column_delimiter, [row_delimiter], [ignore_empty], [match_mode], [pad_with]',
  TEXTBEFORE: 'text, delimiter, [occurrence]',
  TEXTAFTER: 'text, delimiter, [occurrence]',
  CONCAT: 'text, ...',
  REPT: 'text, count',
  DATE: 'year, month, day',
  TIME: 'hour, minute, second',
  DATEDIF: 'start, end, unit',
  EDATE: 'start, months',
  EOMONTH: 'start, months',
  WEEKDAY: 'date, [kind]',
  WEEKNUM: 'date, [kind]',
  NETWORKDAYS: 'start, end, [holidays]',
  WORKDAY: 'start, days, [holidays]',
  PMT: 'rate, periods, present_value, [future_value], [type]',
  NPV: 'rate, value, ...',
  IRR: 'values, [guess]',
  RANK: 'number, range, [order]',
  LARGE: 'range, k',
  SMALL: 'range, k',
  PERCENTILE: 'range, k',
  QUARTILE: 'range, quart',
};

const kindNames: Readonly<Record<BaseKind, string>> = {
  number: 'number',
  text: 'text',
  logical: 'logical',
  scalar: 'value',
  any: 'value',
  grid: 'range',
  array: 'array',
  value: 'value',
  ref: 'reference',
  lambda: 'lambda',
  lazy: 'value',
};

/** Functions that the evaluator implements directly, outside the function table. */
const evaluatorFunctions: readonly Signature[] = ['IF', 'LET', 'LAMBDA', 'ISOMITTED'].map((name) => ({
  name,
  family: name === 'IF' ? 'logical' : 'lambda',
  arguments: argumentNames[name]!,
}));

export function listFunctionSignatures(): Signature[] {
  const listed = functionNames().map((name): Signature => {
    const definition = functionNamed(name)!;
    return { name, family: definition.family, arguments: argumentNames[name] ?? argumentsOf(definition) };
  });
  const names = new Set(listed.map((one) => one.name));
  return [...listed, ...evaluatorFunctions.filter((one) => !names.has(one.name))].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
}

function argumentsOf({ kinds, required, group }: FunctionDef): string {
  const shown = kinds.map((kind, index) => {
    const same = kinds.filter((other) => kindNames[other] === kindNames[kind]).length;
    const place = kinds.slice(0, index + 1).filter((other) => kindNames[other] === kindNames[kind]).length;
    const word = same > 1 ? `${kindNames[kind]}${place}` : kindNames[kind];
    return index < required ? word : `[${word}]`;
  });
  if (group > 0) shown.push('...');
  return shown.join(', ');
}
