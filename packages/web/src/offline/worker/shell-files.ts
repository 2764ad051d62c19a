import { worker } from './worker-scope.ts';

/*
 * Cache of the files of exactly one build. File names contain a hash of the content, and the worker serves only names
 * of its build, so that a browser tab never gets files of two builds.
 */

const { id, shell, files } = worker.sheafBuild;
const prefix = 'sheaf-build-';
const cacheName = prefix + id;
const ownFiles: ReadonlySet<string> = new Set(files);

/**
 * Maximum number of files downloaded at the same time. It is low, so that the open page's own requests do not have to
 * wait.
 */
const filesAtOnce = 2;

/**
 * Stores all files of this build in the browser's cache. If one of them cannot be stored, removes them all and throws:
 * the browser then discards this service worker.
 */
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

/** Deletes the files of other builds. Must only be called when no browser tab runs one of these builds. */
export async function deleteOtherBuilds(): Promise<void> {
  for (const name of await caches.keys()) {
    if (name.startsWith(prefix) && name !== cacheName) await caches.delete(name);
  }
}

export function isShellFile(path: string): boolean {
  return ownFiles.has(path);
}

/** Returns a file of this build from the cache, or from the server if the browser has evicted the cache. */
export async function shellFile(request: Request): Promise<Response> {
  return (await (await caches.open(cacheName)).match(request, { ignoreVary: true })) ?? fetch(request);
}

/** Returns the HTML document that all pages share. Returns undefined if not all files of the build are stored. */
export async function shellDocument(): Promise<Response | undefined> {
  const cache = await caches.open(cacheName);
  // Check the number of entries in case the browser has removed some of the files. Usually browsers remove a cache as a
  // whole.
  if ((await cache.keys()).length < files.length + 1) return undefined;
  return cache.match(shell, { ignoreVary: true });
}
