import { createApp, type App } from '@sheaf/server/app.ts';
import { readConfig } from '@sheaf/server/config.ts';
import { newId } from '@sheaf/server/lib/ids.ts';
import type { NewItem } from '@sheaf/server/ports/wiki-store.ts';
import { corpus } from '../search/corpus.ts';
import { settings, type Credentials } from './server.ts';

/** Words that each occur in exactly twenty of the first ten thousand items. */
export const plantedWords = Array.from({ length: 60 }, (_, i) => `planted${String.fromCharCode(97 + (i % 26))}${i}`);
const each = 20;
const firstItems = 10_000;

/** Returns the planted words of an item. */
function planted(index: number, count: number): string[] {
  const among = Math.min(firstItems, count);
  if (index >= among) return [];
  // Word w is in twenty items, spaced among / 20 apart and starting at w * 7.
  const step = Math.floor(among / each);
  const found: string[] = [];
  plantedWords.forEach((word, w) => {
    const offset = (w * 7) % step;
    if (index % step === offset && Math.floor(index / step) < each) found.push(word);
  });
  return found;
}

export function titleOf(index: number): string {
  return `report ${index} 报告.md`;
}

/** Writes items `from` up to `to` directly to the stores as already parsed, as if they had been imported. */
export async function fillItems(
  folder: string,
  { user_id: userId }: Credentials,
  baseId: string,
  from: number,
  to: number,
): Promise<void> {
  const app = await createApp(readConfig(settings(folder)));
  let index = 0;
  const batch: Promise<void>[] = [];
  for (const entry of corpus({ count: to })) {
    if (index >= from)
      batch.push(
        addOne(
          app,
          userId,
          baseId,
          index,
          `${entry.title}\n\n${entry.body} ${planted(index, firstItems).join(' ')}`,
          entry.headings,
        ),
      );
    index += 1;
    if (batch.length >= 500) await Promise.all(batch.splice(0));
  }
  await Promise.all(batch);
  await app.services.searchFeed.waitUntilDrained();
  await app.close();
}

async function addOne(
  app: App,
  userId: string,
  baseId: string,
  index: number,
  body: string,
  headings: string,
): Promise<void> {
  const stamp = () => ({ at: Date.now(), userId, keyId: '', operation: 'bench', requestId: '' });
  const id = newId('media');
  const item: NewItem = {
    id,
    baseId,
    folderId: baseId,
    userId,
    mediaType: 7,
    title: titleOf(index),
    state: 'ready',
    kind: 'markdown',
    fileName: titleOf(index),
    contentType: 'text/markdown',
    fileSize: body.length,
    blobKey: '',
    contentId: '',
    lastModifyTime: 0,
    sealedPassword: '',
  };
  await app.services.wiki.items.addItem(stamp(), item, 'keep_both', { quotaBytes: 2 ** 40 });
  await app.services.wiki.texts.saveText(stamp(), id, 1, { title: '', headings, body, meta: {} });
}
