import { pageOf, readCursor } from '../../kernel/paging.ts';
import type { MemberBase } from '../../ports/wiki-store.ts';

/**
 * Returns one page of knowledge bases, lowest rank first. `bases` must be in the order that applies within a rank: the
 * caller's personal knowledge base first, then the newest ones. A cursor is valid only for the same `scope`, which
 * identifies the query.
 */
export function pageKnowledgeBases(
  bases: readonly MemberBase[],
  scope: string,
  cursor: string,
  limit: number,
  rankOf: (base: MemberBase) => number = () => 0,
): { page: MemberBase[]; is_end: boolean; next_cursor: string } {
  const after = readCursor(scope, cursor);
  const keyOf = (base: MemberBase): Key => [rankOf(base), base.isPersonal ? 0 : 1, base.createdAt, base.id];
  const ranked = bases.toSorted((one, other) => rankOf(one) - rankOf(other));
  const rest = after === undefined ? ranked : ranked.filter((base) => comesAfter(keyOf(base), after as Key));
  return pageOf(rest, limit, scope, keyOf);
}

type Key = [rank: number, group: number, createdAt: number, id: string];

function comesAfter(a: Key, b: Key): boolean {
  if (a[0] !== b[0]) return a[0] > b[0];
  if (a[1] !== b[1]) return a[1] > b[1];
  if (a[2] !== b[2]) return a[2] < b[2];
  return a[3] > b[3];
}
