/*
 * The service worker: the page opens without a connection, with the files of one build and the answers that were read
 * lately (docs/decisions/without-a-connection.md). It handles only what is named here; every other request, such as
 * writes, events, files, /mcp, /oauth and public links, goes to the server as if there were no worker.
 */
import { shareCache } from '../shared-content.ts';
import { answerRead, forgetAnswers, isFromProxy, keptReadOf, setLineDown } from './kept-answers.ts';
import { deleteOtherBuilds, isShellFile, shellDocument, shellFile, storeShell } from './shell-files.ts';
import { takeShare } from './shared-content.ts';
import { worker, type FetchEvent } from './worker-scope.ts';

/** The first path segments of the pages that start with the shell. */
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

/** Wait for a page's document in milliseconds. After it, the stored shell is shown. */
const patienceMs = 4000;

worker.addEventListener('install', (event) => event.waitUntil(storeShell()));

worker.addEventListener('activate', (event) => {
  const activate = async (): Promise<void> => {
    await Promise.all([deleteOtherBuilds(), forgetAnswers()]);
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
    const read = keptReadOf(pathname);
    if (read !== undefined) event.respondWith(answerRead(request, read, (work) => event.waitUntil(work)));
    else if (pathname === '/sign-in' || pathname === '/sign-out') changeUser(event, pathname === '/sign-out');
    else if (pathname === '/share' && request.mode === 'navigate') event.respondWith(takeShare(request));
    return;
  }
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate') {
    if (pageAreas.has(pathname.split('/')[1]!)) event.respondWith(openPage(event));
  } else if (isShellFile(pathname)) event.respondWith(shellFile(request));
});

/**
 * Deletes what belongs to the signed-in user, before and after the user changes: an answer that arrives in between still
 * belongs to the former user. A navigation is left to the browser, because it sets cookies.
 */
function changeUser(event: FetchEvent, isSignOut: boolean): void {
  const forget = async (): Promise<void> => {
    await forgetAnswers();
    if (isSignOut) await caches.delete(shareCache);
  };
  if (event.request.mode === 'navigate') {
    event.waitUntil(forget());
    return;
  }
  event.respondWith(forget().then(() => fetch(event.request).finally(forget)));
}

/** Answers with the document from the server, or soon with the stored one if the server does not respond. */
async function openPage(event: FetchEvent): Promise<Response> {
  const fromServer = requestPage(event);
  event.waitUntil(fromServer.catch(() => undefined));
  const patience = new Promise<undefined>((resolve) => setTimeout(resolve, patienceMs));
  try {
    const response = await Promise.race([fromServer, patience]);
    if (response && !isFromProxy(response)) return response;
    setLineDown(true);
    return (await shellDocument()) ?? (await fromServer);
  } catch (error) {
    setLineDown(true);
    const shell = await shellDocument();
    if (!shell) throw error;
    return shell;
  }
}

async function requestPage(event: FetchEvent): Promise<Response> {
  const response = await fetch(event.request);
  if (isFromProxy(response)) return response;
  setLineDown(false);
  // The document for visitors who are not signed in.
  if (response.headers.get('x-sheaf-account') === 'none') event.waitUntil(forgetAnswers());
  return response;
}

/**
 * Replaces the worker of the former build, if the page that asks is of this build and the only one open. Without this,
 * the browser would wait until all pages are closed, which reloading does not do. `script` is the page's first script.
 */
async function takeOver(script: string): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (isShellFile(script) && pages.length === 1) await worker.skipWaiting();
}
