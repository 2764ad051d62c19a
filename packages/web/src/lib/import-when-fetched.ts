const fetched = new Map<string, Promise<void>>();

/**
 * Imports a part of the page once its files have been fetched. The build calls this for each dynamic import, with the
 * files that the part needs besides its own. Browsers remember an import whose file could not be fetched, and would fail
 * each further try until the page is reloaded; a `fetch` that failed may be repeated.
 */
export async function importWhenFetched<Module>(
  load: () => Promise<Module>,
  files: readonly string[] = [],
): Promise<Module> {
  // Only the text of the function tells the part's own file.
  const own = /import\(([`'"])(.+?)\1\)/.exec(String(load))?.[2];
  const urls = files.map((file) => `/${file}`);
  if (own !== undefined) urls.push(new URL(own, import.meta.url).pathname);
  await Promise.all(urls.map(fetchOnce));
  return load();
}

function fetchOnce(url: string): Promise<void> | undefined {
  const before = fetched.get(url);
  if (before) return before;
  // The browser fetches what the document names in any case.
  if (document.querySelector(`link[href="${url}"]`)) return undefined;
  const fetching = url.endsWith('.css') ? addStyleSheet(url) : download(url);
  fetched.set(url, fetching);
  fetching.catch(() => fetched.delete(url));
  return fetching;
}

/** Fetches a file into the browser's cache, from which the import takes it. */
async function download(url: string): Promise<void> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  await response.arrayBuffer();
}

function addStyleSheet(url: string): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = url;
  return new Promise((resolve, reject) => {
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      reject(new Error(`${url}: could not be loaded`));
    });
    document.head.append(link);
  });
}
