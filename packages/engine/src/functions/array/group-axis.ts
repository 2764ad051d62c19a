import { cellErrors, type Grid, type Scalar } from '../../base/values.ts';
import { scalarKey, scalarListKey, compareForSort } from './sort-keys.ts';

/** One line of a grouped report (GROUPBY, PIVOTBY): a group, a subtotal or the grand total. */
export interface AxisLine {
  /**
   * One label for each field by which the data is grouped. A subtotal has empty texts for the fields below its own
   * level. The grand total has its title as first label and empty texts otherwise.
   */
  readonly labels: readonly Scalar[];
  /** Data rows that this line of the report aggregates. */
  readonly rows: readonly number[];
  /** Number of leading fields by which the line is grouped; 0 for the grand total. */
  readonly depth: number;
  /** The data rows of the parent group. */
  readonly parent: readonly number[];
}

export interface AxisPlan {
  readonly fields: Grid;
  /** 0 for no totals, 1 for a grand total, 2 or more for subtotals as well. A negative number puts totals first. */
  readonly totals: number;
  /**
   * Columns to sort by. They are numbered from 1: first the fields, then the value columns. A negative number means
   * descending order.
   */
  readonly sort: readonly number[];
  /**
   * If true, the lines form a flat table, which is sorted by the columns of `sort` in their order and has no subtotals.
   * If false, each field is sorted within the groups of the previous field.
   */
  readonly table: boolean;
  /**
   * Returns the aggregate of a value column over the given data rows. It is the sort key if lines are sorted by that
   * column.
   */
  value(column: number, rows: readonly number[]): Scalar;
}

interface Group {
  readonly key: Scalar;
  readonly rows: number[];
}

function groupsOf(fields: Grid, rows: readonly number[], level: number): Group[] {
  const byKey = new Map<string, Group>();
  for (const row of rows) {
    const key = fields.at(row, level);
    const known = byKey.get(scalarKey(key));
    if (known) known.rows.push(row);
    else byKey.set(scalarKey(key), { key, rows: [row] });
  }
  return [...byKey.values()];
}

function inOrder(plan: AxisPlan, groups: readonly Group[], level: number): Group[] {
  const width = plan.fields.cols;
  const byValue = plan.sort.find((spec) => Math.abs(spec) > width);
  const own = plan.sort.find((spec) => Math.abs(spec) === level + 1);
  const direction = own !== undefined && own < 0 ? -1 : 1;
  const keyed = groups.map((group) => ({
    group,
    value: byValue === undefined ? null : plan.value(Math.abs(byValue) - width - 1, group.rows),
  }));
  keyed.sort((a, b) => {
    const first = byValue === undefined ? 0 : compareForSort(a.value, b.value, byValue < 0 ? -1 : 1);
    return first !== 0 ? first : compareForSort(a.group.key, b.group.key, direction);
  });
  return keyed.map((item) => item.group);
}

function nested(plan: AxisPlan, rows: readonly number[], level: number, prefix: readonly Scalar[]): AxisLine[] {
  const width = plan.fields.cols;
  const lines: AxisLine[] = [];
  for (const group of inOrder(plan, groupsOf(plan.fields, rows, level), level)) {
    const labels = [...prefix, group.key];
    if (level === width - 1) {
      lines.push({ labels, rows: group.rows, depth: width, parent: rows });
      continue;
    }
    const below = nested(plan, group.rows, level + 1, labels);
    if (Math.abs(plan.totals) < level + 2) {
      lines.push(...below);
      continue;
    }
    const padded = [...labels, ...Array.from<Scalar>({ length: width - labels.length }).fill('')];
    const subtotal: AxisLine = { labels: padded, rows: group.rows, depth: level + 1, parent: rows };
    if (plan.totals < 0) lines.push(subtotal, ...below);
    else lines.push(...below, subtotal);
  }
  return lines;
}

function flat(plan: AxisPlan, rows: readonly number[]): AxisLine[] {
  const width = plan.fields.cols;
  const byKey = new Map<string, { labels: Scalar[]; rows: number[] }>();
  for (const row of rows) {
    const labels = Array.from({ length: width }, (_, c) => plan.fields.at(row, c));
    const key = scalarListKey(labels);
    const known = byKey.get(key);
    if (known) known.rows.push(row);
    else byKey.set(key, { labels, rows: [row] });
  }
  const sort = plan.sort.length > 0 ? plan.sort : Array.from({ length: width }, (_, c) => c + 1);
  const keyed = [...byKey.values()].map((line) => ({
    line,
    keys: sort.map((spec) => {
      const at = Math.abs(spec) - 1;
      return at < width ? (line.labels[at] ?? null) : plan.value(at - width, line.rows);
    }),
  }));
  keyed.sort((a, b) => {
    for (let i = 0; i < sort.length; i++) {
      const order = compareForSort(a.keys[i] ?? null, b.keys[i] ?? null, (sort[i] ?? 1) < 0 ? -1 : 1);
      if (order !== 0) return order;
    }
    return 0;
  });
  return keyed.map(({ line }) => ({ labels: line.labels, rows: line.rows, depth: width, parent: rows }));
}

export function axisLines(plan: AxisPlan, rows: readonly number[]): AxisLine[] {
  const width = plan.fields.cols;
  if (Math.abs(plan.totals) > width || (plan.table && Math.abs(plan.totals) > 1)) throw cellErrors.value;
  const lines = plan.table ? flat(plan, rows) : nested(plan, rows, 0, []);
  if (plan.totals === 0) return lines;
  const name = Math.abs(plan.totals) > 1 ? 'Grand Total' : 'Total';
  const grand: AxisLine = {
    labels: [name, ...Array.from<Scalar>({ length: width - 1 }).fill('')],
    rows,
    depth: 0,
    parent: rows,
  };
  return plan.totals < 0 ? [grand, ...lines] : [...lines, grand];
}
