import { worker } from './worker-scope.ts';

/*
 * Cache of responses to reads, so that recently opened content can be read offline. Only the responses of one account
 * are cached at a time. Every response contains its account in a header; a response for another account deletes the
 * cache of the previous one.
 */

const prefix = 'sheaf-answers-';
const ownPrefix = `${prefix}${worker.sheafBuild.id}-`;

const maxAnswers = 300;
const maxBytes = 20 * 2 ** 20;
const maxAnswerBytes = 2 ** 20;
/** Maximum age in milliseconds of a cached response. Older responses are not used. */
const maxAgeMs = 30 * 24 * 60 * 60 * 1000;
/**
 * Time in milliseconds that a read waits for the server before a cached response is used, while the server counts as
 * unreachable (`isServerUnreachable`).
 */
const patienceMs = 1500;

/**
 * Read operations whose responses the service worker caches, so that the user can read without a connection: lists,
 * notes, texts of items and the first cells of spreadsheets.
 */
const cachedReads: ReadonlySet<string> = new Set([
  'account/get_me',
  'inbox/list_inbox',
  'manage/list_files',
  'manage/query_file_info',
  'note/browse_notes',
  'note/export_note',
  'note/get_note_history',
  'note/list_note',
  'note/list_notebook',
  'sharing/list_shared_with_me',
  'sheet/get_sheet_info',
  'sheet/get_view',
  'sheet/list_objects',
  'wiki/get_knowledge_base',
  'wiki/get_knowledge_content',
  'wiki/get_knowledge_list',
  'wiki/get_knowledge_state',
  'wiki/search_knowledge_base',
]);

/**
 * Number of times that all cached responses were deleted. A response is not cached if this number has changed since its
 * request, because it may belong to another user.
 */
let generation = 0;
/** The last queued change of the cache. Changes run one after another. */
let changes: Promise<unknown> = Promise.resolve();
/** True from a request without a response until the next response. Meanwhile reads wait only briefly for the server. */
let isServerUnreachable = false;

export function setServerUnreachable(isUnreachable: boolean): void {
  isServerUnreachable = isUnreachable;
}

/**
 * Returns the name of the operation at a URL path, such as `note/export_note`, if its responses are cached. Returns
 * undefined for all other paths.
 */
export function cachedReadOf(path: string): string | undefined {
  const [, module, operation] = /^\/openapi\/([a-z]+)\/v1\/([a-z_]+)$/.exec(path) ?? [];
  const name = `${module}/${operation}`;
  return cachedReads.has(name) ? name : undefined;
}

/** Returns whether a response comes from a proxy because the server behind it did not respond. */
export function isFromProxy({ status, headers }: Response): boolean {
  return status === 502 || status === 504 || (status === 503 && !(headers.get('content-type') ?? '').includes('json'));
}

/** Handles a read request with the server's response, or with a cached response if the server does not respond. */
export async function respondToRead(
  request: Request,
  name: string,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<Response> {
  const body = await request.clone().text();
  if (!isWorthKeeping(name, body)) return fetch(request);
  const begun = generation;
  const path = await pathOf(name, body);
  const answer = fetch(request).then((response) => {
    setServerUnreachable(false);
    if (!isFromProxy(response)) waitUntil(keep(path, response.clone(), begun));
    return response;
  });
  waitUntil(answer.catch(() => undefined));
  try {
    const response = await (isServerUnreachable ? withPatience(answer, path) : answer);
    return isFromProxy(response) ? ((await find(path)) ?? response) : response;
  } catch (error) {
    if (request.signal.aborted) throw error;
    setServerUnreachable(true);
    // After a failure, a `no-store` request gets no cached response, because its caller needs current data.
    const found = request.cache === 'no-store' ? undefined : await find(path);
    if (!found) throw error;
    return found;
  }
}

async function withPatience(answer: Promise<Response>, path: string): Promise<Response> {
  const kept = new Promise<Response | undefined>((resolve) =>
    setTimeout(() => void find(path).then(resolve, () => resolve(undefined)), patienceMs),
  );
  return (await Promise.race([answer, kept])) ?? answer;
}

/** Deletes all cached responses, of every account and build. */
export function deleteCachedResponses(): Promise<void> {
  generation += 1;
  return inOrder(async () => {
    for (const name of await caches.keys()) if (name.startsWith(prefix)) await caches.delete(name);
  });
}

function inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = changes.then(work);
  changes = result.catch((error: unknown) => console.info('cached responses', error));
  return result;
}

/**
 * Returns whether the response of a read should be cached. To save space, further pages of the note list and all cells
 * of a sheet except the first block are excluded.
 */
function isWorthKeeping(name: string, body: string): boolean {
  if (name === 'sheet/get_view') return /"start_row":0,"start_col":0[,}]/.test(body);
  return name !== 'note/browse_notes' || !body.includes('"cursor":');
}

/**
 * Returns the path under which the response to a request is cached. It contains a hash of the request body, because a
 * browser cache distinguishes requests only by URL.
 */
async function pathOf(name: string, body: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body)));
  return `/kept/${name}/${[...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

async function keep(path: string, response: Response, begun: number): Promise<void> {
  // Ignore the response of a busy or failing server (status 429 and above). It tells nothing about the user's access,
  // so the cached response is kept.
  if (response.status >= 429) return undefined;
  const account = response.headers.get('x-sheaf-account');
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  // A JSON response without an account means that the session has ended or its user was suspended, so delete all cached
  // responses.
  if (isJson && account === null) return deleteCachedResponses();
  if (!isJson || account === null) return undefined;
  const text = await response.text();
  return inOrder(async () => {
    if (begun !== generation) return;
    const isGood = response.status === 200 && (JSON.parse(text) as { code?: unknown }).code === 0;
    const cache = await cacheOf(account);
    await cache.delete(path, { ignoreSearch: true });
    const bytes = new TextEncoder().encode(text);
    if (!isGood || bytes.length > maxAnswerBytes) return;
    const headers = { 'content-type': 'application/json; charset=utf-8', 'x-sheaf-kept': String(Date.now()) };
    await cache.put(`${path}?bytes=${bytes.length}&at=${Date.now()}`, new Response(bytes, { headers }));
    await trim(cache);
  });
}

/** Opens the cache of an account, and deletes the caches of all other accounts. */
async function cacheOf(account: string): Promise<Cache> {
  const own = ownPrefix + account;
  for (const name of await caches.keys()) if (name.startsWith(prefix) && name !== own) await caches.delete(name);
  return caches.open(own);
}

async function find(path: string): Promise<Response | undefined> {
  const name = (await caches.keys()).find((one) => one.startsWith(ownPrefix));
  const found = name === undefined ? undefined : await (await caches.open(name)).match(path, { ignoreSearch: true });
  return Number(found?.headers.get('x-sheaf-kept')) > Date.now() - maxAgeMs ? found : undefined;
}

/** Deletes the oldest responses above the limits. A cache lists its entries in the order of insertion. */
async function trim(cache: Cache): Promise<void> {
  const kept = await cache.keys();
  const sizes = kept.map(({ url }) => Number(new URL(url).searchParams.get('bytes')));
  let bytes = sizes.reduce((sum, size) => sum + size, 0);
  for (const [index, request] of kept.entries()) {
    if (kept.length - index <= maxAnswers && bytes <= maxBytes) return;
    await cache.delete(request);
    bytes -= sizes[index]!;
  }
}
