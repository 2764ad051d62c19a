import { worker } from './worker-scope.ts';

/*
 * The files of exactly one build. Their names contain a hash of their content, and the worker answers only names of its
 * own build, so that a page never gets files of two builds.
 */

const { id, shell, files } = worker.sheafBuild;
const prefix = 'sheaf-build-';
const cacheName = prefix + id;
const ownFiles: ReadonlySet<string> = new Set(files);

/** Number of files requested at once: few, so that the open page's own requests do not wait. */
const filesAtOnce = 2;

/** Stores all files of the build, or none: a worker whose installation fails is discarded by the browser. */
export async function storeShell(): Promise<void> {
  await caches.delete(cacheName);
  const cache = await caches.open(cacheName);
  const left = [shell, ...files];
  const storeNext = async (): Promise<void> => {
    for (let path = left.shift(); path !== undefined; path = left.shift()) await cache.put(path, await fetchFile(path));
  };
  try {
    await Promise.all(Array.from({ length: filesAtOnce }, storeNext));
  } catch (error) {
    await caches.delete(cacheName);
    throw error;
  }
}

async function fetchFile(path: string): Promise<Response> {
  const response = await fetch(path, { priority: 'low', credentials: 'same-origin' });
  if (!response.ok) throw new Error(`${path}: status ${response.status}`);
  return response;
}

/** Deletes the files of other builds. Only called when no page of them is open. */
export async function deleteOtherBuilds(): Promise<void> {
  for (const name of await caches.keys()) {
    if (name.startsWith(prefix) && name !== cacheName) await caches.delete(name);
  }
}

export function isShellFile(path: string): boolean {
  return ownFiles.has(path);
}

/** Returns a file of this build from the cache, and from the server if the browser evicted the cache. */
export async function shellFile(request: Request): Promise<Response> {
  return (await (await caches.open(cacheName)).match(request, { ignoreVary: true })) ?? fetch(request);
}

/** Returns the document with which every page starts; undefined if the build is not stored whole. */
export async function shellDocument(): Promise<Response | undefined> {
  const cache = await caches.open(cacheName);
  // The browser evicts whole caches. Counting guards against one that was emptied in part.
  if ((await cache.keys()).length < files.length + 1) return undefined;
  return cache.match(shell, { ignoreVary: true });
}
