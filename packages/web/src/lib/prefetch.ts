import * as inputs from './first-request-inputs.ts';

type PrefetchRequest = readonly [operation: string, input: object];
type SendRequest = (operation: string, input: object) => Promise<Response> | undefined;

const pending = new Map<string, Promise<Response>>();
/**
 * Keys of requests that the page has already made. Prefetching them now would be useless, because the response would be
 * stale when the page repeats the request.
 */
const requestedKeys = new Set<string>();
let isExpired = false;
/**
 * Lifetime of a prefetched response in milliseconds. It is long enough for slow pages to load, and short enough to
 * avoid stale data.
 */
const lifetimeMs = 10_000;

/**
 * Prefetches the data of the page at a URL while the page's code is still loading. Each response is used once, by the
 * page's request with the same address and body. A prefetch that turns out to be unneeded has no effect, because only
 * reads are prefetched.
 */
export function prefetchPageData(path: string, search: string): void {
  if (document.documentElement.dataset['guest'] !== undefined) return;
  requestPageData(path, search, prefetchOperation);
  setTimeout(() => {
    isExpired = true;
    pending.clear();
    requestedKeys.clear();
  }, lifetimeMs);
}

/** Makes the first requests of the page at a URL by calling `send` for each request. */
export function requestPageData(path: string, search: string, send: SendRequest): void {
  const found = new URLSearchParams(search);
  for (const [operation, input] of requestsForPage(path, found)) {
    const answer = send(operation, input);
    if (operation === 'sheet/get_sheet_info')
      answer
        ?.then((response) =>
          requestFirstTile(response.clone(), (input as { file_id: string }).file_id, found.get('tab'), send),
        )
        .catch(logPrefetchFailure);
  }
}

/**
 * Sends the request of an API operation. Its address and body equal those of the page's own request, so that the page
 * can use the prefetched response instead.
 */
export function sendOperation(operation: string, input: object): Promise<Response> {
  return fetch(addressOf(operation), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
    credentials: 'same-origin',
  });
}

/** Like `fetch`, but returns the prefetched response of the same request if there is one. */
export const fetchWithPrefetched: typeof fetch = (address, init) => {
  const key = keyOf(String(address), String(init?.body));
  const early = pending.get(key);
  pending.delete(key);
  if (!isExpired) requestedKeys.add(key);
  return early ?? fetch(address, init);
};

function prefetchOperation(operation: string, input: object): Promise<Response> | undefined {
  const key = keyOf(addressOf(operation), JSON.stringify(input));
  if (isExpired || requestedKeys.has(key)) return undefined;
  const answer = sendOperation(operation, input);
  answer.catch(logPrefetchFailure);
  pending.set(key, answer);
  return answer;
}

function addressOf(operation: string): string {
  return `/openapi/${operation.replace('/', '/v1/')}`;
}

/**
 * Logs a failed prefetch to the console. It shows no message to the user, because the request that uses the prefetched
 * response fails with the same error and reports it.
 */
function logPrefetchFailure(error: unknown): void {
  console.info('asked early', error);
}

function keyOf(address: string, body: string): string {
  return `${address} ${body}`;
}

/**
 * Returns whether an id is the temporary id of a note created in this browser. The server assigns the final id later.
 */
export function isLocalNoteId(id: string): boolean {
  return id.startsWith('new_');
}

/**
 * Functions that return the first requests of a page, by the page's path. In the keys, the number 1 stands for an id
 * in the path: `wiki/1` is the key of `/wiki/<id>`.
 */
const routes: Record<string, (id: string, search: URLSearchParams) => PrefetchRequest[]> = {
  '': () => [
    ['note/list_note', inputs.recentInput],
    ['wiki/search_knowledge_base', inputs.recentBasesInput],
    ['manage/list_files', inputs.recentInput],
    ['account/list_audit', inputs.writesInput('people')],
    ['account/list_audit', inputs.writesInput('apps')],
  ],
  wiki: () => [['wiki/search_knowledge_base', inputs.basesInput()]],
  'wiki/1': (id, search) => [
    ['wiki/get_knowledge_base', inputs.baseInput(id)],
    ['wiki/get_knowledge_list', inputs.folderInput(id, search.get('folder') ?? id)],
  ],
  notes: (_id, search) =>
    search.has('q')
      ? []
      : [['note/browse_notes', inputs.notesInput(search.get('folder') ?? undefined, search.get('tag') ?? undefined)]],
  'notes/1': (id) =>
    isLocalNoteId(id)
      ? []
      : [
          ['note/export_note', inputs.noteInput(id)],
          ['note/get_note_history', inputs.noteVersionInput(id)],
        ],
  sheet: () => [['manage/list_files', inputs.documentsInput()]],
  'sheet/1': (id) => [
    ['manage/query_file_info', inputs.documentInput(id)],
    ['sheet/get_sheet_info', inputs.documentInput(id)],
    ['sheet/list_objects', inputs.tabsInput(id)],
  ],
};

function requestsForPage(path: string, search: URLSearchParams): PrefetchRequest[] {
  const [area = '', id = '', ...rest] = path.split('/').slice(1).map(decodeURIComponent);
  const name = id === '' ? area : `${area}/${1 + rest.length}`;
  return [['account/get_me', {}], ...(Object.hasOwn(routes, name) ? routes[name]!(id, search) : [])];
}

/**
 * Requests the first tile (block of cells) of the sub-sheet that will be shown. The parameters must equal those of the
 * request in grid-model.ts, which otherwise would not use this prefetched response.
 */
async function requestFirstTile(
  response: Response,
  file_id: string,
  tab: string | null,
  send: SendRequest,
): Promise<void> {
  const { data } = (await response.json()) as { data?: { sheets?: { sheet_id: string }[] } };
  const shown = data?.sheets?.find((one) => one.sheet_id === tab) ?? data?.sheets?.[0];
  if (shown)
    void send('sheet/get_view', {
      sheet_id: shown.sheet_id,
      start_row: 0,
      start_col: 0,
      end_row: inputs.tileRows - 1,
      end_col: inputs.tileCols - 1,
      layout: true,
      file_id,
    });
}
