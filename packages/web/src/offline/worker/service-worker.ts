/*
 * Service worker that makes the page available offline, with the files of one build and recently read responses
 * (docs/decisions/without-a-connection.md). It handles pages, files of the build, cached read operations, sign-in,
 * sign-out and shared content. All other requests, such as writes, events, stored files, /mcp, /oauth and public links,
 * go directly to the server.
 */
import { shareCache } from '../shared-content.ts';
import {
  respondToRead,
  deleteCachedResponses,
  isFromProxy,
  cachedReadOf,
  setServerUnreachable,
} from './response-cache.ts';
import { deleteOtherBuilds, isShellFile, shellDocument, shellFile, storeShell } from './shell-files.ts';
import { storeSharedContent } from './store-shared-content.ts';
import { worker, type FetchEvent } from './worker-scope.ts';

/** First path segments of the pages that are served with the app shell (the HTML document that all pages share). */
const pageAreas: ReadonlySet<string> = new Set([
  '',
  'account',
  'inbox',
  'notes',
  'search',
  'share',
  'shared',
  'sheet',
  'wiki',
]);

/** Time in milliseconds to wait for a page's HTML document before the stored app shell is used. */
const patienceMs = 4000;

worker.addEventListener('install', (event) => event.waitUntil(storeShell()));

worker.addEventListener('activate', (event) => {
  const activate = async (): Promise<void> => {
    await Promise.all([deleteOtherBuilds(), deleteCachedResponses()]);
    await worker.clients.claim();
  };
  event.waitUntil(activate());
});

worker.addEventListener('message', (event) => {
  if (typeof event.data === 'string') event.waitUntil(takeOver(event.data));
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== worker.location.origin || worker.registration.scope !== `${worker.location.origin}/`) return;
  const { pathname } = url;
  if (request.method === 'POST') {
    const read = cachedReadOf(pathname);
    if (read !== undefined) event.respondWith(respondToRead(request, read, (work) => event.waitUntil(work)));
    else if (pathname === '/sign-in' || pathname === '/sign-out') changeUser(event, pathname === '/sign-out');
    else if (pathname === '/share' && request.mode === 'navigate') event.respondWith(storeSharedContent(request));
    return;
  }
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate') {
    if (pageAreas.has(pathname.split('/')[1]!)) event.respondWith(openPage(event));
  } else if (isShellFile(pathname)) event.respondWith(shellFile(request));
});

/**
 * Deletes the cached data of the signed-in user before and after a sign-in or sign-out, because responses that arrive
 * during the request still belong to the previous user. If the request is a navigation, the data is deleted only once,
 * and the browser handles the request itself, because its response sets cookies.
 */
function changeUser(event: FetchEvent, isSignOut: boolean): void {
  const forget = async (): Promise<void> => {
    await deleteCachedResponses();
    if (isSignOut) await caches.delete(shareCache);
  };
  if (event.request.mode === 'navigate') {
    event.waitUntil(forget());
    return;
  }
  event.respondWith(forget().then(() => fetch(event.request).finally(forget)));
}

/**
 * Responds with the HTML document from the server, or with the stored document if the server does not respond in time.
 */
async function openPage(event: FetchEvent): Promise<Response> {
  const fromServer = requestPage(event);
  event.waitUntil(fromServer.catch(() => undefined));
  const patience = new Promise<undefined>((resolve) => setTimeout(resolve, patienceMs));
  try {
    const response = await Promise.race([fromServer, patience]);
    if (response && !isFromProxy(response)) return response;
    setServerUnreachable(true);
    return (await shellDocument()) ?? (await fromServer);
  } catch (error) {
    setServerUnreachable(true);
    const shell = await shellDocument();
    if (!shell) throw error;
    return shell;
  }
}

async function requestPage(event: FetchEvent): Promise<Response> {
  const response = await fetch(event.request);
  if (isFromProxy(response)) return response;
  setServerUnreachable(false);
  // The server sent the page for visitors who are not signed in, so delete the cached responses.
  if (response.headers.get('x-sheaf-account') === 'none') event.waitUntil(deleteCachedResponses());
  return response;
}

/**
 * Lets this service worker replace that of the previous build at once, if the browser tab that sent `script` runs this
 * build and no other tab is open. By default, the browser waits until all tabs of the app are closed; reloading them is
 * not enough. `script` is the URL path of the tab's first script, which identifies its build.
 */
async function takeOver(script: string): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (isShellFile(script) && pages.length === 1) await worker.skipWaiting();
}
