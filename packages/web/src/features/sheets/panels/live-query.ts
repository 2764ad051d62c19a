import { keepPreviousData, useQuery, type QueryKey, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { queryClient } from '../../../lib/api-client.ts';
import { useStore } from '../../../ui/store.ts';
import { affectsScope } from '../revision.ts';
import {
  useRevisions,
  useSession,
  type Revision,
  type SheetSession,
  type ToolInput,
  type ToolName,
  type ToolOutput,
} from '../sheet-session.ts';

/**
 * Returns whether a revision (change) may have added, removed or moved objects of a sub-sheet, such as charts, images,
 * filters or comments.
 */
export const affectsObjects = (revision: Revision): boolean => affectsScope(revision, 'layout', 'objects', 'sheets');
export const anyRevision = (): boolean => true;

const debounceMs = 60;

/**
 * Returns a function that refetches a query after a short delay, so that several calls cause only one request.
 *
 * A call during a request does not restart it, but causes another request afterwards. Restarting would never show a
 * result during frequent changes.
 */
export function useDebouncedRefetch(queryKey: QueryKey): () => void {
  const latest = useRef(queryKey);
  latest.current = queryKey;
  const [soon] = useState(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let reading = false;
    let asked = false;
    const look = (): void => {
      timer = undefined;
      reading = true;
      // A request in progress may have been sent before the change, so another request must follow.
      asked = queryClient.isFetching({ queryKey: latest.current }) > 0;
      void queryClient.invalidateQueries({ queryKey: latest.current }, { cancelRefetch: false }).finally(() => {
        reading = false;
        if (asked) ask();
      });
    };
    const ask = (): void => {
      if (reading) asked = true;
      else timer ??= setTimeout(look, debounceMs);
    };
    const stop = (): void => {
      clearTimeout(timer);
      timer = undefined;
      asked = false;
    };
    return { ask, stop };
  });
  useEffect(() => soon.stop, [soon]);
  return soon.ask;
}

/**
 * Calls a reading server operation (`tool`) for the current sub-sheet. Calls it again after every revision (change) for
 * which `matters` returns true; until the response arrives, the previous result stays visible.
 */
export function useLiveQuery<Name extends ToolName>(
  tool: Name,
  input: Omit<ToolInput<Name>, 'sheet_id'>,
  matters: (revision: Revision) => boolean,
  enabled = true,
): UseQueryResult<ToolOutput<Name>> {
  const session = useSession();
  const tab = useStore(session.current);
  const queryKey = liveQueryKey(session, tool, tab, input);
  const readSoon = useDebouncedRefetch(queryKey);
  useRevisions((revision) => {
    if (enabled && matters(revision)) readSoon();
  });
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => session.read(tool, { ...input, sheet_id: tab } as unknown as ToolInput<Name>, signal),
    placeholderData: (before, query) => (query?.queryKey[3] === tab ? keepPreviousData(before) : undefined),
    staleTime: 0,
    // Only sub-sheets of type `worksheet` have charts, filters and other objects.
    enabled: enabled && session.tab.type === 'worksheet',
  });
}

export function liveQueryKey(session: SheetSession, tool: ToolName, tab: string, input: object): QueryKey {
  return ['sheet', session.fileId, tool, tab, input];
}

/**
 * Refetches the results of a server operation without the usual delay. Called after a change made in this browser tab.
 */
export function refetchTool(session: SheetSession, tool: ToolName): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['sheet', session.fileId, tool] });
}
