import { SheafError, messageOf, sheaf } from '../lib/client.ts';
import { Store } from '../ui/store.ts';
import { fileKindOf } from './media.tsx';
import { refreshBase } from './queries.ts';
import { uploadFile, type Target } from './upload.ts';

export interface Upload {
  id: number;
  name: string;
  size: number;
  share: number;
  state: 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled';
  reason: string;
}

/** A file and the folders it was dropped with. */
interface Dropped {
  file: File;
  path: readonly string[];
}

interface Job {
  upload: Upload;
  dropped: Dropped;
  target: Target;
  control: AbortController;
  folders: Map<string, Promise<string>>;
}

const atOnce = 3;

export const uploads = new Store<readonly Upload[]>([]);
const jobs: Job[] = [];
let running = 0;
let made = 0;

export function enqueue(dropped: readonly Dropped[], target: Target): void {
  const folders = new Map<string, Promise<string>>();
  for (const each of dropped) {
    const upload: Upload = {
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
  work();
}

export function cancel(id: number): void {
  const job = jobs.find(({ upload }) => upload.id === id);
  if (!job) return;
  job.control.abort();
  if (uploads.get().find((upload) => upload.id === id)?.state === 'waiting') change(id, { state: 'cancelled' });
}

export function again(id: number): void {
  const job = jobs.find(({ upload }) => upload.id === id);
  if (!job) return;
  job.control = new AbortController();
  change(id, { state: 'waiting', share: 0, reason: '' });
  work();
}

export function forgetFinished(): void {
  uploads.set(uploads.get().filter(({ state }) => state === 'waiting' || state === 'sending'));
}

function change(id: number, with_: Partial<Upload>): void {
  uploads.set(uploads.get().map((upload) => (upload.id === id ? { ...upload, ...with_ } : upload)));
}

function work(): void {
  while (running < atOnce) {
    const waiting = uploads.get().find(({ state }) => state === 'waiting');
    const job = jobs.find(({ upload }) => upload.id === waiting?.id);
    if (!waiting || !job) return;
    running += 1;
    change(waiting.id, { state: 'sending' });
    void send(job).finally(() => {
      running -= 1;
      work();
    });
  }
}

async function send({ upload: { id }, dropped, target, control, folders }: Job): Promise<void> {
  try {
    if (!fileKindOf(dropped.file.name)) throw new Error(`files of this type cannot be added`);
    if (dropped.file.size === 0) throw new Error('the file is empty');
    const folder = await folderFor(target, dropped.path, folders);
    await uploadFile(
      dropped.file,
      { base: target.base, folder },
      { signal: control.signal, onProgress: (share) => change(id, { share }) },
    );
    change(id, { state: 'done', share: 1 });
    await refreshBase(target.base);
  } catch (error) {
    if (control.signal.aborted) change(id, { state: 'cancelled' });
    else change(id, { state: 'failed', reason: messageOf(error) });
  }
}

/** Makes the folders a file was dropped with; those that are there already are used. */
async function folderFor(
  target: Target,
  path: readonly string[],
  folders: Map<string, Promise<string>>,
): Promise<string> {
  let parent = target.folder;
  for (const [depth, name] of path.entries()) {
    const key = path.slice(0, depth + 1).join('/');
    const into = parent;
    if (!folders.has(key)) folders.set(key, ensureFolder(target.base, into, name));
    parent = await folders.get(key)!;
  }
  return parent;
}

async function ensureFolder(base: string, parent: string, name: string): Promise<string> {
  try {
    return (await sheaf.wiki.create_folder({ knowledge_base_id: base, parent_folder_id: parent, name })).folder_id;
  } catch (error) {
    if (!(error instanceof SheafError)) throw error;
    for (let cursor = ''; ;) {
      const page = await sheaf.wiki.get_knowledge_list({
        knowledge_base_id: base,
        folder_id: parent,
        cursor,
        limit: 50,
      });
      const there = page.knowledge_list.find((entry) => entry.folder_id !== undefined && entry.title === name);
      if (there?.folder_id !== undefined) return there.folder_id;
      if (page.is_end) throw error;
      cursor = page.next_cursor;
    }
  }
}

/** What was dropped, folders opened. */
export async function droppedFiles(transfer: DataTransfer): Promise<Dropped[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) return [...transfer.files].map((file) => ({ file, path: [] }));
  const found: Dropped[] = [];
  for (const entry of entries) await walk(entry, [], found);
  return found;
}

async function walk(entry: FileSystemEntry, path: readonly string[], found: Dropped[]): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    if (!file.name.startsWith('.')) found.push({ file, path });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const inside = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (inside.length === 0) return;
    for (const each of inside) await walk(each, [...path, entry.name], found);
  }
}

/** Files of a folder chosen in a dialog carry their path with them. */
export function chosenFiles(files: FileList): Dropped[] {
  return [...files]
    .filter((file) => !file.name.startsWith('.'))
    .map((file) => ({ file, path: file.webkitRelativePath.split('/').slice(0, -1) }));
}
