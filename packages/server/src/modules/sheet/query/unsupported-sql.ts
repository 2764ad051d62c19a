/**
 * Error messages for words of other SQL dialects that this query language does not support. Each names an alternative.
 */
const instead: Readonly<Record<string, string>> = {
  union: 'union is not known; run the queries one after the other, or write each result below the other',
  intersect: 'intersect is not known; use in (select …)',
  except: 'except is not known; use not in (select …)',
  minus: 'minus is not known; use not in (select …)',
  right: 'right join is not known; swap the tables and use left join',
  full: 'full join is not known; use left join from each side',
  cross: 'cross join is not known; a join needs a condition: join … on a.x = b.y',
  natural: 'natural join is not known; use join … on a.x = b.y',
  using: 'using is not known; use on a.x = b.y',
  ',': 'a comma between tables is not known; use join … on a.x = b.y',
  recursive: 'with recursive is not known; with names queries that do not read themselves',
  window: 'window is not known; write over (partition by … order by …) after each function',
  rows: 'rows between is not known; with order by, a window runs from the first row to the current one',
  range: 'range between is not known; with order by, a window runs from the first row to the current one',
  filter: 'filter (where …) is not known; use sum(case when … then x end)',
  within: 'within group is not known; the values come in the order of the rows',
  order: 'order by inside a function is not known; the values come in the order of the rows',
  fetch: 'fetch is not known; use limit',
  qualify: 'qualify is not known; use select * from (select …, row_number() over (…) as n from …) t where n = 1',
  ilike: 'ilike is not known; like ignores case',
  regexp: 'regexp is not known; use like, or check with RANGE matches REGEX',
  insert: 'insert is not known, a query only reads; use append_rows or write',
  update: 'update is not known, a query only reads; use edit_rows with action mark',
  delete: 'delete is not known, a query only reads; use edit_rows with action delete',
  create: 'create is not known, a query only reads; use add_sheet or write with a query',
  drop: 'drop is not known, a query only reads; use delete_sheet',
  alter: 'alter is not known, a query only reads; use insert_dimension or edit_rows with action mark',
  merge: 'merge is not known, a query only reads; use edit_rows with action mark',
};

/** Unsupported SQL words by the part of a query in which they may occur. */
export const unsupported = {
  statements: ['insert', 'update', 'delete', 'create', 'drop', 'alter', 'merge'],
  joins: ['right', 'full', 'cross', 'natural', ','],
  clauses: ['union', 'intersect', 'except', 'minus', 'window', 'fetch', 'qualify'],
  comparisons: ['ilike', 'regexp'],
  afterCalls: ['filter', 'within'],
  frames: ['rows', 'range'],
};

/** Returns the error message for an unsupported SQL word. It names an alternative. */
export function describeAlternative(word: string): string {
  return instead[word]!;
}

/** Maps functions of other SQL dialects to what to use instead, for error messages. */
const functionInstead: Readonly<Record<string, string>> = {
  strftime: 'year, month, day, weekday',
  date_format: 'year, month, day, weekday',
  to_char: 'year, month, day, weekday',
  extract: 'year(x), month(x), day(x)',
  date_part: 'year(x), month(x), day(x)',
  date_trunc: 'year(x) and month(x)',
  datediff: 'a - b: dates are days',
  date_diff: 'a - b: dates are days',
  julianday: 'a - b: dates are days',
  dateadd: 'x + 30: dates are days',
  date_add: 'x + 30: dates are days',
  now: "the date itself, as '2026-05-01'",
  today: "the date itself, as '2026-05-01'",
  current_date: "the date itself, as '2026-05-01'",
  isnull: 'x is null, or coalesce',
  nvl: 'coalesce',
  position: 'instr(text, part)',
  charindex: 'instr(text, part)',
  locate: 'instr(text, part)',
  find: 'instr(text, part)',
  search: 'instr(text, part)',
  regexp_like: 'like',
  regexp_replace: 'replace',
  split_part: 'substr and instr',
  countif: 'count(case when … then 1 end)',
  sumif: 'sum(case when … then x end)',
  array_agg: 'group_concat',
  json_group_array: 'group_concat',
  percentile_cont: 'median',
  first: 'min, or row_number() over (…) in a derived table',
  last: 'max, or row_number() over (…) in a derived table',
  pivot: 'sum(case when … then x end), one for each column',
};

/** Returns a hint about alternatives to a function of another SQL dialect; empty if there is none. */
export function functionHint(name: string): string {
  return Object.hasOwn(functionInstead, name) ? `; use ${functionInstead[name]!}` : '';
}
