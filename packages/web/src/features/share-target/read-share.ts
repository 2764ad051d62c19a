import { shareCache, sharePaths, type SharedContent } from '../../offline/shared-content.ts';

/** Shared content that nobody decided about is deleted after this time. */
const maxAgeMs = 60 * 60 * 1000;

export interface Share {
  readonly title: string;
  readonly text: string;
  readonly files: readonly File[];
  /** Number of files that were too many or too large. */
  readonly leftOut: number;
}

interface SharedTexts {
  readonly title?: string | undefined;
  readonly text?: string | undefined;
  readonly url?: string | undefined;
}

/**
 * Returns what another app shared: the texts in the page's address, or else what the service worker stored. Undefined if
 * nothing was shared.
 */
export async function readShare(search: string): Promise<Share | undefined> {
  const inAddress: SharedTexts = Object.fromEntries(new URLSearchParams(search));
  if (inAddress.title ?? inAddress.text ?? inAddress.url) return { ...joinTexts(inAddress), files: [], leftOut: 0 };
  // Browsers have caches and service workers in the same places.
  if (!('caches' in window) || !(await caches.has(shareCache))) return undefined;
  const cache = await caches.open(shareCache);
  const content = (await (await cache.match(sharePaths.content))?.json()) as SharedContent | undefined;
  if (!content || Date.now() - content.at > maxAgeMs) {
    await deleteShare();
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

export async function deleteShare(): Promise<void> {
  if ('caches' in window) await caches.delete(shareCache);
}

/** Joins text and address. Many apps send the address as the text or repeat it there. */
function joinTexts({ title = '', text = '', url = '' }: SharedTexts): { title: string; text: string } {
  return {
    title,
    text: url === '' || text.includes(url) ? text : [text, url].filter((part) => part !== '').join('\n\n'),
  };
}
