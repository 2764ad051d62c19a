import { isPage } from '@sheaf/client/media-types';
import { sheaf } from '../../lib/api-client.ts';
import { downloadUrl } from '../../lib/download.ts';
import type { Translate } from '../../i18n/use-translation.ts';
import { promptText } from '../../ui/prompt-dialog.tsx';
import { showToast } from '../../ui/toast.tsx';
import { entryId, toRelativeFileUrl, refreshBase, type Entry } from './queries.ts';
import { replaceFile } from './upload-file.ts';

const maxIdsPerCall = 100;

function chunkIds(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / maxIdsPerCall) }, (_, index) =>
    ids.slice(index * maxIdsPerCall, (index + 1) * maxIdsPerCall),
  );
}

export async function moveEntries(
  from: string,
  ids: string[],
  to: string,
  folder: string,
  text: Translate,
): Promise<void> {
  let moved = 0;
  for (const part of chunkIds(ids))
    moved += (
      await sheaf.wiki.move_knowledge({
        knowledge_base_id: from,
        media_ids: part,
        target_knowledge_base_id: to,
        target_folder_id: folder,
      })
    ).moved;
  await Promise.all([refreshBase(from), refreshBase(to)]);
  if (moved > 0) showToast(text('moved', { count: moved }));
}

export async function deleteEntries(base: string, ids: string[], text: Translate): Promise<void> {
  let deleted = 0;
  for (const part of chunkIds(ids))
    deleted += (await sheaf.wiki.delete_knowledge({ knowledge_base_id: base, media_ids: part })).deleted;
  await refreshBase(base);
  const undo = async (): Promise<void> => {
    for (const part of chunkIds(ids)) await sheaf.wiki.restore_knowledge({ knowledge_base_id: base, media_ids: part });
    await refreshBase(base);
  };
  showToast(text('deletedCount', { count: deleted }), { label: text('undo'), run: undo });
}

export async function renameEntry(base: string, entry: Entry, text: Translate): Promise<void> {
  const title = await promptText({
    title: text('rename'),
    label: text('name'),
    initial: entry.title,
    action: text('rename'),
  });
  if (title === undefined || title === entry.title) return;
  await sheaf.wiki.rename_knowledge({ media_id: entryId(entry), title });
  await refreshBase(base);
}

export async function tagEntry(base: string, entry: Entry, text: Translate): Promise<void> {
  const before = entry.tags ?? [];
  const typed = await promptText({
    title: text('tags'),
    label: text('tagsLabel'),
    initial: before.join(', '),
    mayBeEmpty: true,
    action: text('save'),
  });
  if (typed === undefined) return;
  const wanted = [
    ...new Set(
      typed
        .split(/[,，、]/)
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
    ),
  ];
  const added = wanted.filter((tag) => !before.includes(tag));
  const removed = before.filter((tag) => !wanted.includes(tag));
  if (added.length > 0) await sheaf.wiki.add_tag({ media_id: entryId(entry), tags: added });
  if (removed.length > 0) await sheaf.wiki.remove_tag({ media_id: entryId(entry), tags: removed });
  await refreshBase(base);
}

export async function pinFolder(base: string, entry: Entry): Promise<void> {
  await sheaf.wiki.set_knowledge_top({ knowledge_base_id: base, folder_id: entry.folder_id!, is_top: !entry.is_top });
  await refreshBase(base);
}

/**
 * Retries the text extraction of an entry (a web page or file) after it failed. A web page is imported again. A stored
 * file is downloaded and uploaded again; if extraction failed for lack of a password, the user is asked for it first.
 */
export async function retryEntry(base: string, entry: Entry, text: Translate): Promise<void> {
  const id = entryId(entry);
  const { url_info: original } = await sheaf.wiki.get_media_info({ media_id: id });
  if (!original) throw new Error(text('originalGone'));
  if (isPage(entry.media_type)) {
    const { results } = await sheaf.wiki.import_urls({
      knowledge_base_id: base,
      folder_id: entry.parent_folder_id,
      urls: [original.url],
    });
    if (Object.values(results).some((result) => result.ret_code !== 0))
      throw new Error(text('urlRefused', { url: original.url }));
    await sheaf.wiki.delete_knowledge({ knowledge_base_id: base, media_ids: [id] });
  } else {
    const password = /password|encrypted/i.test(entry.reason ?? '')
      ? await promptText({
          title: text('filePassword'),
          label: text('password'),
          explanation: entry.reason,
          action: text('tryAgain'),
        })
      : undefined;
    const bytes = await (await fetch(toRelativeFileUrl(original.url))).blob();
    await replaceFile(id, base, new File([bytes], entry.title), password);
  }
  await refreshBase(base);
}

/** Downloads the original file of an entry, named after the entry's title. */
export async function downloadEntry(entry: Entry, text: Translate): Promise<void> {
  const { url_info: original } = await sheaf.wiki.get_media_info({ media_id: entryId(entry) });
  if (!original) throw new Error(text('originalGone'));
  downloadUrl(`${toRelativeFileUrl(original.url)}&response-content-disposition=attachment`, entry.title);
}
