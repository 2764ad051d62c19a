/** What happens to positions along one axis. `to` is counted before the move. */
export type AxisChange =
  | { readonly kind: 'insert'; readonly at: number; readonly count: number }
  | { readonly kind: 'delete'; readonly at: number; readonly count: number }
  | { readonly kind: 'move'; readonly from: number; readonly count: number; readonly to: number };

export interface Span {
  readonly first: number;
  readonly last: number;
}

/** Where one position goes; undefined when it is deleted. */
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

/** Where a range of positions goes; undefined when nothing of it is left. */
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
  // Both the block and its goal inside: the same cells in another order.
  if (first <= from && last >= from + count - 1 && to > first && to <= last) return span;
  // The block leaves the range and the range opens where the block arrives inside it.
  const rest = mapSpan({ kind: 'delete', at: from, count }, span, limit);
  return rest && mapSpan({ kind: 'insert', at: target, count }, rest, limit);
}
