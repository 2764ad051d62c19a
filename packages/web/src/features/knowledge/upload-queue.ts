import { mediaNumber } from '@sheaf/client/media-types';
import { SheafError, errorMessage, sheaf } from '../../lib/api-client.ts';
import { Store } from '../../ui/store.ts';
import { fileKindOf } from './media-kinds.tsx';
import { foldersOf, refreshBase } from './queries.ts';
import { uploadFile, type UploadTarget } from './upload-file.ts';

export interface QueuedUpload {
  id: number;
  name: string;
  size: number;
  share: number;
  /**
   * `asked`: a file of the same name exists, and the upload waits for the user's choice. `skipped`: the user chose not
   * to upload the file.
   */
  state: 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled' | 'asked' | 'skipped';
  reason: string;
}

/** A file to upload and the names of the folders that contain it, outermost first. */
interface Dropped {
  file: File;
  path: readonly string[];
}

export type NameConflictPolicy = 'replace' | 'keep_both' | 'skip';

interface Job {
  upload: QueuedUpload;
  dropped: Dropped;
  target: UploadTarget;
  control: AbortController;
  folders: Map<string, Promise<string>>;
  onSameName?: NameConflictPolicy;
}

const atOnce = 3;

export const uploads = new Store<readonly QueuedUpload[]>([]);
const jobs: Job[] = [];
let running = 0;
let made = 0;

export function enqueueUploads(dropped: readonly Dropped[], target: UploadTarget): void {
  const folders = new Map<string, Promise<string>>();
  for (const each of dropped) {
    const upload: QueuedUpload = {
      id: ++made,
      name: [...each.path, each.file.name].join('/'),
      size: each.file.size,
      share: 0,
      state: 'waiting',
      reason: '',
    };
    uploads.set([...uploads.get(), upload]);
    jobs.push({ upload, dropped: each, target, control: new AbortController(), folders });
  }
  startJobs();
}

export function cancelUpload(id: number): void {
  const job = jobs.find(({ upload }) => upload.id === id);
  if (!job) return;
  job.control.abort();
  if (uploads.get().find((upload) => upload.id === id)?.state === 'waiting') change(id, { state: 'cancelled' });
}

export function retryUpload(id: number): void {
  const job = jobs.find(({ upload }) => upload.id === id);
  if (!job) return;
  job.control = new AbortController();
  change(id, { state: 'waiting', share: 0, reason: '' });
  startJobs();
}

export function removeFinishedUploads(): void {
  uploads.set(uploads.get().filter(({ state }) => state === 'waiting' || state === 'sending' || state === 'asked'));
}

export function resolveNameConflicts(what: NameConflictPolicy, ids: readonly number[]): void {
  for (const id of ids) {
    const job = jobs.find(({ upload }) => upload.id === id);
    if (!job) continue;
    job.onSameName = what;
    change(id, { state: what === 'skip' ? 'skipped' : 'waiting' });
  }
  startJobs();
}

function change(id: number, with_: Partial<QueuedUpload>): void {
  uploads.set(uploads.get().map((upload) => (upload.id === id ? { ...upload, ...with_ } : upload)));
}

function startJobs(): void {
  while (running < atOnce) {
    const waiting = uploads.get().find(({ state }) => state === 'waiting');
    const job = jobs.find(({ upload }) => upload.id === waiting?.id);
    if (!waiting || !job) return;
    running += 1;
    change(waiting.id, { state: 'sending' });
    void runJob(job).finally(() => {
      running -= 1;
      startJobs();
    });
  }
}

async function runJob(job: Job): Promise<void> {
  const { dropped, target, control, folders, onSameName } = job;
  const { id } = job.upload;
  try {
    const mediaType = fileKindOf(dropped.file.name)?.mediaType ?? mediaNumber.text;
    if (dropped.file.size === 0) throw new Error('the file is empty');
    const folder = await ensureFolderPath(target, dropped.path, folders);
    const { name } = dropped.file;
    if (onSameName === undefined && (await existingNames(target.base, folder, [name], mediaType)).has(name)) {
      change(id, { state: 'asked' });
      return;
    }
    const title = onSameName === 'keep_both' ? await uniqueName(target.base, folder, name, mediaType) : name;
    await uploadFile(
      dropped.file,
      { base: target.base, folder, title, replaces: onSameName === 'replace' },
      { signal: control.signal, onProgress: (share) => change(id, { share }) },
    );
    change(id, { state: 'done', share: 1 });
    await refreshBase(target.base);
  } catch (error) {
    if (control.signal.aborted) change(id, { state: 'cancelled' });
    else change(id, { state: 'failed', reason: errorMessage(error) });
  }
}

async function existingNames(
  base: string,
  folder: string,
  names: readonly string[],
  mediaType: number,
): Promise<ReadonlySet<string>> {
  const { results } = await sheaf.wiki.check_repeated_names({
    knowledge_base_id: base,
    folder_id: folder,
    params: names.map((name) => ({ name, media_type: mediaType })),
  });
  return new Set(results.filter((one) => one.is_repeated).map((one) => one.name));
}

const maxNumber = 100;

/**
 * Returns the first free numbered name, such as `plan (2).txt` for `plan.txt`. Returns the name unchanged if all
 * numbers are taken.
 */
async function uniqueName(base: string, folder: string, name: string, mediaType: number): Promise<string> {
  const [, stem = name, ending = ''] = /^(.*?)(\.[^.]*)?$/s.exec(name) ?? [];
  const names = Array.from({ length: maxNumber - 1 }, (_, index) => `${stem} (${index + 2})${ending}`);
  const taken = await existingNames(base, folder, names, mediaType);
  return names.find((one) => !taken.has(one)) ?? name;
}

/**
 * Creates the folders that contain a dropped file, or reuses existing folders. Returns the id of the innermost folder.
 * `folders` holds the folders of files dropped together, so that each folder is created only once.
 */
async function ensureFolderPath(
  target: UploadTarget,
  path: readonly string[],
  folders: Map<string, Promise<string>>,
): Promise<string> {
  let parent = target.folder;
  for (const [depth, name] of path.entries()) {
    const key = path.slice(0, depth + 1).join('/');
    const into = parent;
    const folder = folders.get(key) ?? ensureFolder(target.base, into, name);
    folders.set(key, folder);
    // Forget a failed creation, so that "Try again" creates the folder anew instead of reusing the failure.
    folder.catch(() => folders.delete(key));
    parent = await folder;
  }
  return parent;
}

async function ensureFolder(base: string, parent: string, name: string): Promise<string> {
  try {
    return (await sheaf.wiki.create_folder({ knowledge_base_id: base, parent_folder_id: parent, name })).folder_id;
  } catch (error) {
    if (!(error instanceof SheafError)) throw error;
    const there = (await foldersOf(base, parent)).find((entry) => entry.title === name);
    if (there?.folder_id === undefined) throw error;
    return there.folder_id;
  }
}

/** Returns the dropped files, including those inside dropped folders. */
export async function droppedFiles(transfer: DataTransfer): Promise<Dropped[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) return [...transfer.files].map((file) => ({ file, path: [] }));
  const found: Dropped[] = [];
  for (const entry of entries) await readEntry(entry, [], found);
  return found;
}

async function readEntry(entry: FileSystemEntry, path: readonly string[], found: Dropped[]): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    if (!file.name.startsWith('.')) found.push({ file, path });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const inside = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (inside.length === 0) return;
    for (const each of inside) await readEntry(each, [...path, entry.name], found);
  }
}

/**
 * Returns the files selected in the file picker, except hidden files. For files of a selected folder, the path starts
 * with the name of that folder.
 */
export function selectedFiles(files: FileList): Dropped[] {
  return [...files]
    .filter((file) => !file.name.startsWith('.'))
    .map((file) => ({ file, path: file.webkitRelativePath.split('/').slice(0, -1) }));
}
