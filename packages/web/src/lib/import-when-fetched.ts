const fetched = new Map<string, Promise<void>>();

/**
 * Fetches the files of a dynamically imported module and then imports it. Browsers remember a failed import and would
 * fail each retry until the page is reloaded, but a failed `fetch` can be repeated. The build adds this call to each
 * dynamic import; `files` are the files that the module needs besides its own.
 */
export async function importWhenFetched<Module>(
  load: () => Promise<Module>,
  files: readonly string[] = [],
): Promise<Module> {
  // The URL of the module itself is only known from the source text of `load`, such as `() => import('./page.js')`.
  const own = /import\(([`'"])(.+?)\1\)/.exec(String(load))?.[2];
  const urls = files.map((file) => `/${file}`);
  if (own !== undefined) urls.push(new URL(own, import.meta.url).pathname);
  await Promise.all(urls.map(fetchOnce));
  return load();
}

function fetchOnce(url: string): Promise<void> | undefined {
  const before = fetched.get(url);
  if (before) return before;
  // Skip a file to which the document contains a link, because the browser fetches it by itself.
  if (document.querySelector(`link[href="${url}"]`)) return undefined;
  const fetching = url.endsWith('.css') ? addStyleSheet(url) : download(url);
  fetched.set(url, fetching);
  fetching.catch(() => fetched.delete(url));
  return fetching;
}

/** Fetches a file into the browser's cache, so that the later import reads it from the cache. */
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
