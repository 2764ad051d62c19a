import { keepPreviousData, useQuery, type QueryKey, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { queries } from '../../lib/client.ts';
import { useStore } from '../../ui/store.ts';
import { changes } from '../revision.ts';
import {
  useRevisions,
  useSession,
  type Revision,
  type SheetSession,
  type ToolInput,
  type ToolName,
  type ToolOutput,
} from '../session.ts';

/** Whether charts, images, filters, pivot tables or protections may have come, gone or moved. */
export const movesObjects = (revision: Revision): boolean => changes(revision, 'layout', 'objects', 'sheets');
export const anyRevision = (): boolean => true;

const togetherMs = 60;

/**
 * Answers how to have a query read again a moment later, several askings as one. While it is being read it is not begun anew but
 * read once more afterwards: whoever writes without a pause does not keep others from seeing anything.
 */
export function useReadSoon(queryKey: QueryKey): () => void {
  const latest = useRef(queryKey);
  latest.current = queryKey;
  const [soon] = useState(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let reading = false;
    let asked = false;
    const look = (): void => {
      timer = undefined;
      reading = true;
      // What is on its way already may have left before the change.
      asked = queries.isFetching({ queryKey: latest.current }) > 0;
      void queries.invalidateQueries({ queryKey: latest.current }, { cancelRefetch: false }).finally(() => {
        reading = false;
        if (asked) ask();
      });
    };
    const ask = (): void => {
      if (reading) asked = true;
      else timer ??= setTimeout(look, togetherMs);
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

/** What a reading tool answers about the sub-sheet shown, read again after every revision that matters. The last answer stays while the next is on its way. */
export function useLive<Name extends ToolName>(
  tool: Name,
  input: Omit<ToolInput<Name>, 'sheet_id'>,
  matters: (revision: Revision) => boolean,
  enabled = true,
): UseQueryResult<ToolOutput<Name>> {
  const session = useSession();
  const tab = useStore(session.current);
  const queryKey = ['sheet', session.fileId, tool, tab, input];
  const readSoon = useReadSoon(queryKey);
  useRevisions((revision) => {
    if (enabled && matters(revision)) readSoon();
  });
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => session.read(tool, { ...input, sheet_id: tab } as unknown as ToolInput<Name>, signal),
    placeholderData: (before, query) => (query?.queryKey[3] === tab ? keepPreviousData(before) : undefined),
    staleTime: 0,
    // Only grids of cells have what is asked for here.
    enabled: enabled && session.tab.type === 'worksheet',
  });
}

/** Reads again at once, for what the page itself just changed. */
export function readAgain(session: SheetSession, tool: ToolName): Promise<void> {
  return queries.invalidateQueries({ queryKey: ['sheet', session.fileId, tool] });
}
