/**
 * An insertion, deletion or move of rows or columns. A move takes `count` rows or columns starting at `from` and
 * inserts them before position `to`, which is counted before the move.
 */
export type AxisChange =
  | { readonly kind: 'insert'; readonly at: number; readonly count: number }
  | { readonly kind: 'delete'; readonly at: number; readonly count: number }
  | { readonly kind: 'move'; readonly from: number; readonly count: number; readonly to: number };

export interface Span {
  readonly first: number;
  readonly last: number;
}

/** Returns the new position of a row or column, or undefined if it is deleted. */
export function mapPosition(change: AxisChange, at: number): number | undefined {
  switch (change.kind) {
    case 'insert':
      return at >= change.at ? at + change.count : at;
    case 'delete':
      if (at < change.at) return at;
      return at < change.at + change.count ? undefined : at - change.count;
    default: {
      const { from, count, to } = change;
      const target = to > from ? to - count : to;
      if (at >= from && at < from + count) return at - from + target;
      const removed = at >= from + count ? at - count : at;
      return removed >= target ? removed + count : removed;
    }
  }
}

/**
 * Returns the new first and last position of a span. The result is undefined if the whole span is deleted or shifted
 * past `limit`, the number of rows or columns of the grid.
 */
export function mapSpan(change: AxisChange, span: Span, limit: number): Span | undefined {
  const { first, last } = span;
  if (change.kind === 'insert') {
    const start = first >= change.at ? first + change.count : first;
    const end = last >= change.at ? last + change.count : last;
    return start >= limit ? undefined : { first: start, last: Math.min(end, limit - 1) };
  }
  if (change.kind === 'delete') {
    const { at, count } = change;
    if (first >= at && last < at + count) return undefined;
    return {
      first: first >= at + count ? first - count : Math.min(first, at),
      last: last >= at + count ? last - count : last >= at ? at - 1 : last,
    };
  }
  const { from, count, to } = change;
  if (to >= from && to <= from + count) return span;
  const target = to > from ? to - count : to;
  if (first >= from && last < from + count) return { first: first - from + target, last: last - from + target };
  // If both the moved block and its target are inside the span, the span stays where it is: it holds the same cells in
  // another order.
  if (first <= from && last >= from + count - 1 && to > first && to <= last) return span;
  // The span shrinks where the moved block leaves it and grows where the block is inserted.
  const rest = mapSpan({ kind: 'delete', at: from, count }, span, limit);
  return rest && mapSpan({ kind: 'insert', at: target, count }, rest, limit);
}
