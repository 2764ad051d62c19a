import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../../lib/api-client.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { useStore } from '../../../ui/store.ts';
import { showToast } from '../../../ui/toast.tsx';
import { singleCellRange, regionFields, type CellRange } from '../cell-geometry.ts';
import { useRevisions, useSession, type ToolInput, type ToolOutput } from '../sheet-session.ts';
import type { PanelState } from './panel-state.ts';

export type FindHit = ToolOutput<'find'>['results'][number];
export type FindScope = 'document' | 'tab' | 'selection';

export interface FindQuery {
  readonly term: string;
  readonly where: FindScope;
  /** The selection when "in the selection" was chosen. It is stored, because going to a hit changes the selection. */
  readonly within: CellRange | undefined;
  readonly options: Readonly<Record<'match_case' | 'match_entire_cell' | 'use_regex' | 'match_formulas', boolean>>;
}

export interface FindState {
  readonly hits: readonly FindHit[];
  /**
   * Total number of hits, which may be larger than the number of hits in `hits`. Undefined while there is no search
   * result.
   */
  readonly total: number | undefined;
  readonly error: string | undefined;
  /** Index of the current hit, or -1 if there is none. */
  readonly at: number;
  go(index: number): void;
  step(by: number): void;
  startOver(): void;
  replaceOne(replacement: string): Promise<void>;
  replaceAll(replacement: string): Promise<void>;
}

interface FindResult {
  readonly hits: readonly FindHit[];
  readonly total: number;
}

const none: readonly FindHit[] = [];
const typingMs = 200;
const maxHits = 1000;

function isSameCell(one: FindHit, other: FindHit | undefined): boolean {
  return one.sheet_id === other?.sheet_id && one.row === other.row && one.col === other.col;
}

/**
 * Searches the document, the visible sub-sheet or a range of it. Repeats the search when the query or the document
 * changes. Returns the hits and functions that step through them and replace them.
 */
export function useFind(state: PanelState, { term, where, within, options }: FindQuery): FindState {
  const text = useTranslation();
  const session = useSession();
  const tabs = useStore(session.tabs);
  const tab = useStore(session.current);
  const [found, setFound] = useState<FindResult>();
  const [error, setError] = useState<string>();
  const [at, setAt] = useState(-1);
  const shownHit = useRef<FindHit>(undefined);
  const [round, setRound] = useState(0);
  useRevisions(() => setRound((count) => count + 1));

  const tabName = tabs.find((one) => one.id === tab)?.name ?? '';
  const scope: Pick<ToolInput<'find'>, 'sheet_name' | 'start_row' | 'start_col' | 'end_row' | 'end_col'> = where ===
  'document'
    ? {}
    : { sheet_name: tabName, ...(where === 'selection' && within ? regionFields(within) : {}) };
  const question = JSON.stringify({ search_term: term, ...options, ...scope });
  useEffect(() => {
    if (term === '') {
      setFound(undefined);
      setError(undefined);
      return undefined;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      session.read('find', { ...(JSON.parse(question) as ToolInput<'find'>), max_results: maxHits }, stop.signal).then(
        ({ results, total_results: total }) => {
          setFound({ hits: results, total });
          setError(undefined);
          // Stay at the current hit even if its index has changed, because hits before it may have been replaced.
          const same = results.findIndex((hit) => isSameCell(hit, shownHit.current));
          setAt((before) => (before >= 0 && same >= 0 ? same : Math.min(before, results.length - 1)));
        },
        (findError: unknown) => {
          if (stop.signal.aborted) return;
          setFound(undefined);
          setError(errorMessage(findError));
        },
      );
    }, typingMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [question, term, round, session]);

  const hits = found?.hits ?? none;
  useEffect(() => {
    state.hits.set(hits);
    return () => state.hits.set(none);
  }, [state, hits]);
  const go = (index: number): void => {
    const hit = hits[index];
    if (!hit) return;
    if (isHidden(hit)) showToast(text('hitHidden'));
    setAt(index);
    shownHit.current = hit;
    session.goTo(hit.sheet_id, singleCellRange(hit.row, hit.col));
  };
  /** Returns whether a hit is in a hidden row or column. The rectangle of such a cell has size 0. */
  const isHidden = ({ sheet_id, row, col }: FindHit): boolean => {
    const view = session.grid.get();
    if (!view || sheet_id !== session.current.get()) return false;
    const { width, height } = view.rectOf(singleCellRange(row, col));
    return width === 0 || height === 0;
  };
  const step = (by: number): void => {
    for (let next = 1; next <= hits.length; next++) {
      const index = (at + by * next + hits.length * next) % hits.length;
      if (!isHidden(hits[index]!)) return go(index);
    }
    if (hits.length > 0) showToast(text('hitsHidden'));
  };
  const replace = async (replacement: string, only: FindHit | undefined): Promise<void> => {
    const place = only
      ? {
          sheet_name: tabs.find((one) => one.id === only.sheet_id)?.name ?? '',
          start_row: only.row,
          end_row: only.row,
          start_col: only.col,
          end_col: only.col,
        }
      : scope;
    const { replaced_count: count } = await session.write('replace', {
      search_term: term,
      replacement,
      ...options,
      ...place,
    });
    showToast(text('replacedCount', { count }));
  };
  const replaceOne = async (replacement: string): Promise<void> => {
    const current = hits[at] ?? hits[0];
    if (!current) return;
    await replace(replacement, current);
    const next = hits.indexOf(current) + 1;
    if (next < hits.length) go(next);
  };
  return {
    hits,
    total: found?.total,
    error,
    at,
    go,
    step,
    startOver: () => setAt(-1),
    replaceOne,
    replaceAll: (replacement) => replace(replacement, undefined),
  };
}
