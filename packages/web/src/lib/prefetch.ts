type PrefetchRequest = readonly [operation: string, input: Record<string, unknown>];

const pending = new Map<string, Promise<Response>>();
/** Requests that the page has already made: prefetching them again would be too late and could store stale data. */
const requestedKeys = new Set<string>();
let isExpired = false;
/** Lifetime of a prefetched response: long enough for slow pages to load, short enough to avoid stale data. */
const lifetimeMs = 10_000;

/**
 * Prefetches the data of the page at an address while its code is still loading. Each response is used once, by the
 * page's own request with the same address and body. A missing or superfluous prefetch costs only time.
 */
export function prefetchPageData(path: string, search: string): void {
  if (document.documentElement.dataset['guest'] !== undefined) return;
  const found = new URLSearchParams(search);
  for (const [operation, input] of requestsForPage(path, found)) {
    const answer = prefetchOperation(operation, input);
    if (operation === 'sheet/get_sheet_info')
      answer
        ?.then((response) => prefetchFirstTile(response.clone(), input, found.get('tab')))
        .catch(logPrefetchFailure);
  }
  setTimeout(() => {
    isExpired = true;
    pending.clear();
    requestedKeys.clear();
  }, lifetimeMs);
}

/** A fetch that uses a prefetched response if there is one. */
export const fetchWithPrefetched: typeof fetch = (address, init) => {
  const key = keyOf(String(address), String(init?.body));
  const early = pending.get(key);
  pending.delete(key);
  if (!isExpired) requestedKeys.add(key);
  return early ?? fetch(address, init);
};

function prefetchOperation(operation: string, input: Record<string, unknown>): Promise<Response> | undefined {
  const address = `/openapi/${operation.replace('/', '/v1/')}`;
  const body = JSON.stringify(input);
  if (isExpired || requestedKeys.has(keyOf(address, body))) return undefined;
  const answer = fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    credentials: 'same-origin',
  });
  answer.catch(logPrefetchFailure);
  pending.set(keyOf(address, body), answer);
  return answer;
}

/** A request that uses the prefetched response reports the failure itself; an unused one does not matter. */
function logPrefetchFailure(error: unknown): void {
  console.info('asked early', error);
}

function keyOf(address: string, body: string): string {
  return `${address} ${body}`;
}

/** True for a note that was created in this browser and is not on the server yet. */
export function isLocalNoteId(id: string): boolean {
  return id.startsWith('new_');
}

function requestsForPage(path: string, search: URLSearchParams): PrefetchRequest[] {
  const me: PrefetchRequest = ['account/get_me', {}];
  const [area = '', id, rest] = path.split('/').slice(1).map(decodeURIComponent);
  const folder = search.get('folder') ?? undefined;
  if (area === '') {
    return [
      me,
      ['note/list_note', { cursor: '', limit: 8 }],
      ['wiki/search_knowledge_base', { query: '', cursor: '', limit: 8 }],
      ['manage/list_files', { cursor: '', limit: 8 }],
    ];
  }
  if (area === 'wiki' && id === undefined)
    return [me, ['wiki/search_knowledge_base', { query: '', cursor: '', limit: 20 }]];
  if (area === 'wiki' && id !== undefined && rest === undefined) {
    return [
      me,
      ['wiki/get_knowledge_base', { ids: [id] }],
      ['wiki/get_knowledge_list', { knowledge_base_id: id, folder_id: folder ?? id, cursor: '', limit: 50 }],
    ];
  }
  if (area === 'notes' && id === undefined)
    return search.has('q') ? [me] : [me, ['note/list_note', { folder_id: folder, cursor: '', limit: 20 }]];
  if (area === 'notes' && id !== undefined && isLocalNoteId(id)) return [me];
  if (area === 'notes' && id !== undefined)
    return [
      me,
      ['note/export_note', { note_id: id, format: 'markdown' }],
      ['note/get_note_history', { note_id: id, limit: 1 }],
    ];
  if (area === 'sheet' && id === undefined) return [me, ['manage/list_files', { cursor: '', limit: 50 }]];
  if (area === 'sheet' && id !== undefined)
    return [
      me,
      ['manage/query_file_info', { file_id: id }],
      ['sheet/get_sheet_info', { file_id: id }],
      ['sheet/list_objects', { file_id: id, object_types: ['sheet'] }],
    ];
  return [me];
}

/** Prefetches the first tile of the visible sub-sheet. The parameters must equal those in grid/grid-model.ts. */
async function prefetchFirstTile(
  response: Response,
  { file_id }: Record<string, unknown>,
  tab: string | null,
): Promise<void> {
  const { data } = (await response.json()) as { data?: { sheets?: { sheet_id: string }[] } };
  const shown = data?.sheets?.find((one) => one.sheet_id === tab) ?? data?.sheets?.[0];
  if (shown)
    void prefetchOperation('sheet/get_view', {
      sheet_id: shown.sheet_id,
      start_row: 0,
      start_col: 0,
      end_row: 127,
      end_col: 31,
      layout: true,
      file_id,
    });
}
