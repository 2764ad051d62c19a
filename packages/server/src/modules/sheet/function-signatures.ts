import { type BaseKind, type FunctionDef, functionNamed, functionNames } from '@sheaf/engine';

interface Signature {
  name: string;
  family: string;
  arguments: string;
}

/**
 * Signatures of common formula functions: each key is a list of argument names, and its value names the functions that
 * take these arguments. The signatures of all other functions show argument types instead.
 */
const functionsByArguments: Readonly<Record<string, string>> = {
  'condition, then, [otherwise]': 'IF',
  'name, value, ..., calculation': 'LET',
  '[parameter], ..., calculation': 'LAMBDA',
  parameter: 'ISOMITTED',
  'condition, value, ...': 'IFS',
  'value, if_error': 'IFERROR',
  'value, if_na': 'IFNA',
  'expression, value, result, ..., [default]': 'SWITCH',
  'index, value, ...': 'CHOOSE',
  'value, ...': 'SUM AVERAGE COUNT COUNTA MAX MIN PRODUCT MEDIAN',
  'range, criterion, [sum_range]': 'SUMIF',
  'sum_range, range, criterion, ...': 'SUMIFS',
  'range, criterion': 'COUNTIF',
  'range, criterion, ...': 'COUNTIFS',
  'range, criterion, [average_range]': 'AVERAGEIF',
  'average_range, range, criterion, ...': 'AVERAGEIFS',
  'max_range, range, criterion, ...': 'MAXIFS',
  'min_range, range, criterion, ...': 'MINIFS',
  'array, ...': 'SUMPRODUCT VSTACK HSTACK',
  'function_number, range, ...': 'SUBTOTAL',
  'function_number, options, range, ...': 'AGGREGATE',
  'number, digits': 'ROUND ROUNDUP ROUNDDOWN',
  'number, multiple': 'MROUND',
  'number, significance': 'CEILING FLOOR',
  'number, divisor': 'MOD',
  'number, power': 'POWER',
  'number, [base]': 'LOG',
  'low, high': 'RANDBETWEEN',
  'value, table, column, [approximate]': 'VLOOKUP',
  'value, table, row, [approximate]': 'HLOOKUP',
  'value, lookup_range, return_range, [if_missing], [match_mode], [search_mode]': 'XLOOKUP',
  'value, lookup_range, [match_mode], [search_mode]': 'XMATCH',
  'value, lookup_range, [result_range]': 'LOOKUP',
  'range, row, [column]': 'INDEX',
  'value, lookup_range, [match_type]': 'MATCH',
  'reference, rows, columns, [height], [width]': 'OFFSET',
  'text, [a1]': 'INDIRECT',
  'row, column, [kind], [a1], [sheet]': 'ADDRESS',
  'url, [text]': 'HYPERLINK',
  'array, include, [if_empty]': 'FILTER',
  'array, [column], [order], [by_column]': 'SORT',
  'array, by_array, [order], ...': 'SORTBY',
  'array, [by_column], [exactly_once]': 'UNIQUE',
  'rows, [columns], [start], [step]': 'SEQUENCE',
  'array, rows, [columns]': 'TAKE DROP',
  'array, ..., lambda': 'MAP',
  'start, array, lambda': 'REDUCE',
  'text, [count]': 'LEFT RIGHT',
  'text, start, count': 'MID',
  'find, within, [start]': 'FIND SEARCH',
  'text, old, new, [occurrence]': 'SUBSTITUTE',
  'text, start, count, new': 'REPLACE',
  'value, format': 'TEXT',
  'delimiter, ignore_empty, text, ...': 'TEXTJOIN',
  'text, column_delimiter, [row_delimiter], [ignore_empty], [match_mode], [pad_with]': 'TEXTSPLIT',
  'text, delimiter, [occurrence]': 'TEXTBEFORE TEXTAFTER',
  'text, ...': 'CONCAT',
  'text, count': 'REPT',
  'year, month, day': 'DATE',
  'hour, minute, second': 'TIME',
  'start, end, unit': 'DATEDIF',
  'start, months': 'EDATE EOMONTH',
  'date, [kind]': 'WEEKDAY WEEKNUM',
  'start, end, [holidays]': 'NETWORKDAYS',
  'start, days, [holidays]': 'WORKDAY',
  'rate, periods, present_value, [future_value], [type]': 'PMT',
  'rate, value, ...': 'NPV',
  'values, [guess]': 'IRR',
  'number, range, [order]': 'RANK',
  'range, k': 'LARGE SMALL PERCENTILE',
  'range, quart': 'QUARTILE',
};

const argumentNames = new Map(
  Object.entries(functionsByArguments).flatMap(([names, functions]) =>
    functions.split(' ').map((name) => [name, names] as const),
  ),
);

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

/**
 * Formula functions that the evaluator implements directly. They are missing in the table of functions, so their
 * signatures are added here.
 */
const evaluatorFunctions: readonly Signature[] = ['IF', 'LET', 'LAMBDA', 'ISOMITTED'].map((name) => ({
  name,
  family: name === 'IF' ? 'logical' : 'lambda',
  arguments: argumentNames.get(name)!,
}));

export function listFunctionSignatures(): Signature[] {
  const listed = functionNames().map((name): Signature => {
    const definition = functionNamed(name)!;
    return { name, family: definition.family, arguments: argumentNames.get(name) ?? argumentsOf(definition) };
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
