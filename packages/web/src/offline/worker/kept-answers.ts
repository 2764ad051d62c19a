import { worker } from './worker-scope.ts';

/*
 * Answers to reads, kept so that what was opened lately can be read without a connection. There is one cache, of one
 * account: every answer says in a header whose it is, and an answer to another account deletes those of the first.
 */

const prefix = 'sheaf-answers-';
const ownPrefix = `${prefix}${worker.sheafBuild.id}-`;

const maxAnswers = 300;
const maxBytes = 20 * 2 ** 20;
const maxAnswerBytes = 2 ** 20;
/** Answers older than this are not shown anymore. */
const maxAgeMs = 30 * 24 * 60 * 60 * 1000;
/** Wait for the server in milliseconds while it does not respond, before a kept answer is shown instead. */
const patienceMs = 1500;

/** The reads that are kept: lists, notes, the text of items and the first cells of spreadsheets. */
const keptReads: ReadonlySet<string> = new Set([
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

/** Incremented whenever all answers are deleted. An answer whose request began before is not kept. */
let generation = 0;
/** Changes of the cache run one after the other. */
let changes: Promise<unknown> = Promise.resolve();
/** True from a request without a response until the next response. Reads then wait only a short time. */
let isLineDown = false;

export function setLineDown(isDown: boolean): void {
  isLineDown = isDown;
}

/** Returns the name of the kept read, such as `note/export_note`, that a path is for; undefined for any other path. */
export function keptReadOf(path: string): string | undefined {
  const [, module, operation] = /^\/openapi\/([a-z]+)\/v1\/([a-z_]+)$/.exec(path) ?? [];
  const name = `${module}/${operation}`;
  return keptReads.has(name) ? name : undefined;
}

/** Returns whether the request got no response from the server, only one from a proxy in front of it. */
export function isFromProxy({ status, headers }: Response): boolean {
  return status === 502 || status === 504 || (status === 503 && !(headers.get('content-type') ?? '').includes('json'));
}

/** Answers a read from the server, and from the kept answers if the server does not respond. */
export async function answerRead(
  request: Request,
  name: string,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<Response> {
  const body = await request.clone().text();
  if (!isWorthKeeping(name, body)) return fetch(request);
  const begun = generation;
  const path = await pathOf(name, body);
  const answer = fetch(request).then((response) => {
    setLineDown(false);
    if (!isFromProxy(response)) waitUntil(keep(path, response.clone(), begun));
    return response;
  });
  waitUntil(answer.catch(() => undefined));
  try {
    const response = await (isLineDown ? withPatience(answer, path) : answer);
    return isFromProxy(response) ? ((await find(path)) ?? response) : response;
  } catch (error) {
    if (request.signal.aborted) throw error;
    setLineDown(true);
    // A request that must not be cached needs the newest state, because the page already has a newer one than is kept.
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

/** Deletes all kept answers, of whatever account and build. */
export function forgetAnswers(): Promise<void> {
  generation += 1;
  return inOrder(async () => {
    for (const name of await caches.keys()) if (name.startsWith(prefix)) await caches.delete(name);
  });
}

function inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = changes.then(work);
  changes = result.catch((error: unknown) => console.info('kept answers', error));
  return result;
}

/** Excludes the long pages of a list and all cells but the first ones. */
function isWorthKeeping(name: string, body: string): boolean {
  if (name === 'sheet/get_view') return /"start_row":0,"start_col":0[,}]/.test(body);
  return name !== 'note/browse_notes' || !body.includes('"cursor":');
}

/** Returns the path under which the answer to this request is kept. */
async function pathOf(name: string, body: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body)));
  return `/kept/${name}/${[...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

async function keep(path: string, response: Response, begun: number): Promise<void> {
  // A busy server says nothing about the user or the object.
  if (response.status >= 429) return undefined;
  const account = response.headers.get('x-sheaf-account');
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  // Without an account the server refused the session: it ended, or its user was suspended.
  if (isJson && account === null) return forgetAnswers();
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

/** Opens the cache of an account, and deletes those of all others. */
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

/** Deletes the oldest answers above the limits. A cache lists its entries in the order in which they were put. */
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
