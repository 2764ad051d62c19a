import { shareCache, sharePaths, type SharedContent } from '../../offline/shared-content.ts';

/**
 * Maximum age in milliseconds of content that another app shared. Older content that the user has neither saved nor
 * discarded is deleted.
 */
const maxAgeMs = 60 * 60 * 1000;

export interface SharedFromApp {
  readonly title: string;
  readonly text: string;
  readonly files: readonly File[];
  /** Number of shared files that were left out, because there were too many or they were too large. */
  readonly leftOut: number;
}

interface SharedTexts {
  readonly title?: string | undefined;
  readonly text?: string | undefined;
  readonly url?: string | undefined;
}

/**
 * Returns the content that another app shared: the texts in the page's URL, or else the content that the service worker
 * stored. Returns undefined if there is none.
 */
export async function readSharedContent(search: string): Promise<SharedFromApp | undefined> {
  const inAddress: SharedTexts = Object.fromEntries(new URLSearchParams(search));
  if (inAddress.title ?? inAddress.text ?? inAddress.url) return { ...joinTexts(inAddress), files: [], leftOut: 0 };
  // The service worker stores shared content in the browser's cache storage. Without a secure context (HTTPS) the
  // browser has neither service workers nor cache storage, so there is no content.
  if (!('caches' in window) || !(await caches.has(shareCache))) return undefined;
  const cache = await caches.open(shareCache);
  const content = (await (await cache.match(sharePaths.content))?.json()) as SharedContent | undefined;
  if (!content || Date.now() - content.at > maxAgeMs) {
    await deleteSharedContent();
    return undefined;
  }
  const files = await Promise.all(
    content.files.map(async ({ name, type }, index) => {
      const bytes = await (await cache.match(sharePaths.file(index)))?.blob();
      return new File(bytes ? [bytes] : [], name, { type });
    }),
  );
  return { ...joinTexts(content), files, leftOut: content.leftOut };
}

export async function deleteSharedContent(): Promise<void> {
  if ('caches' in window) await caches.delete(shareCache);
}

/** Joins the shared text and URL. Leaves the URL out if the text already contains it, as with many apps. */
function joinTexts({ title = '', text = '', url = '' }: SharedTexts): { title: string; text: string } {
  return {
    title,
    text: url === '' || text.includes(url) ? text : [text, url].filter((part) => part !== '').join('\n\n'),
  };
}
