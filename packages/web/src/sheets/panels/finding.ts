import { useEffect, useState } from 'react';
import { messageOf } from '../../lib/client.ts';
import { useText } from '../../text/use-text.ts';
import { useStore } from '../../ui/store.ts';
import { say } from '../../ui/toast.tsx';
import { cellRange, regionFields, type CellRange } from '../geometry.ts';
import { useRevisions, useSession, type ToolInput, type ToolOutput } from '../session.ts';
import type { PanelState } from './state.ts';

export type Hit = ToolOutput<'find'>['results'][number];
export type Where = 'document' | 'tab' | 'selection';

export interface Question {
  readonly term: string;
  readonly where: Where;
  /** The selection when "in the selection" was chosen, because going to a hit changes the selection. */
  readonly within: CellRange | undefined;
  readonly options: Readonly<Record<'match_case' | 'match_entire_cell' | 'use_regex' | 'match_formulas', boolean>>;
}

export interface Finding {
  readonly hits: readonly Hit[];
  /** Number of hits; undefined before the first search. */
  readonly total: number | undefined;
  readonly error: string | undefined;
  /** Index of the current hit; -1 for none. */
  readonly at: number;
  go(index: number): void;
  step(by: number): void;
  startOver(): void;
  replaceOne(replacement: string): Promise<void>;
  replaceAll(replacement: string): Promise<void>;
}

interface Found {
  readonly hits: readonly Hit[];
  readonly total: number;
}

const none: readonly Hit[] = [];
const typingMs = 200;
const maxHits = 1000;

/** Searches, repeats the search after every revision, and steps through the hits. */
export function useFinding(state: PanelState, { term, where, within, options }: Question): Finding {
  const text = useText();
  const session = useSession();
  const tabs = useStore(session.tabs);
  const tab = useStore(session.current);
  const [found, setFound] = useState<Found>();
  const [error, setError] = useState<string>();
  const [at, setAt] = useState(-1);
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
          setAt((before) => Math.min(before, results.length - 1));
        },
        (findError: unknown) => {
          if (stop.signal.aborted) return;
          setFound(undefined);
          setError(messageOf(findError));
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
    if (isHidden(hit)) say(text('hitHidden'));
    setAt(index);
    session.goTo(hit.sheet_id, cellRange(hit.row, hit.col));
  };
  /** Hidden rows and columns have no size. */
  const isHidden = ({ sheet_id, row, col }: Hit): boolean => {
    const view = session.grid.get();
    if (!view || sheet_id !== session.current.get()) return false;
    const { width, height } = view.rectOf(cellRange(row, col));
    return width === 0 || height === 0;
  };
  const step = (by: number): void => {
    for (let next = 1; next <= hits.length; next++) {
      const index = (at + by * next + hits.length * next) % hits.length;
      if (!isHidden(hits[index]!)) return go(index);
    }
    if (hits.length > 0) say(text('hitsHidden'));
  };
  const replace = async (replacement: string, only: Hit | undefined): Promise<void> => {
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
    say(text('replacedCount', { count }));
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
