import { realpath } from 'node:fs/promises';
import { basename, posix, resolve } from 'node:path';
import { sha256 } from '../lib/hash.ts';
import { RemoteError } from './retrying-client.ts';
import { rewriteLinks, VaultIndex } from './rewrite-links.ts';
import type { ImportReport } from './import-report.ts';
import type { ImportTarget } from './import-target.ts';
import { FileError, readVault, readVaultFile, type Vault } from './vault.ts';

const conflict = 210008;
const maxTitle = 120;
/**
 * Matches the names of executable files. They are not imported, because they are in a folder of notes only by accident.
 */
const programs = /\.(?:exe|dll|msi|bat|cmd|com|scr|app|dmg|so|dylib)$/i;

export interface FolderOptions {
  path: string;
  /**
   * Name of the notebook that receives the notes and of the knowledge base that receives the other files. Default: the
   * folder's name.
   */
  name?: string;
}

/**
 * Returns the name under which the import log records a folder. It contains the real path, so that the same folder is
 * recognized if it is given by another path that leads through a symbolic link.
 */
export async function folderSourceId(path: string): Promise<string> {
  return `folder ${await realpath(resolve(path)).catch(() => resolve(path))}`;
}

/**
 * Imports a folder: sub-folders become notebooks, Markdown files become notes, and other files become items of a
 * knowledge base. Links between these files are rewritten as links to the imported notes and items.
 */
export async function importFolder(target: ImportTarget, options: FolderOptions, report: ImportReport): Promise<void> {
  const vault = await readVault(resolve(options.path), report);
  const importer = new FolderImport(target, vault, options.name ?? basename(vault.root), report);
  await importer.files();
  await importer.notes('notes');
  // Write notes a second time if they link to notes that were imported after them. Only at this point does every note
  // have an id to which a link can point.
  await importer.notes('links');
}

class FolderImport {
  readonly #target: ImportTarget;
  readonly #vault: Vault;
  readonly #name: string;
  readonly #report: ImportReport;
  readonly #index: VaultIndex;
  readonly #failed = new Set<string>();
  #baseId = '';

  constructor(target: ImportTarget, vault: Vault, name: string, report: ImportReport) {
    this.#target = target;
    this.#vault = vault;
    this.#name = name;
    this.#report = report;
    this.#index = new VaultIndex([...vault.notes, ...vault.files]);
  }

  async files(): Promise<void> {
    const { files, root } = this.#vault;
    if (files.length === 0) return;
    this.#baseId = await this.#target.base('base', { name: this.#name });
    for (const [done, path] of files.entries()) {
      await this.#attempt(path, async () => {
        const key = `file ${path}`;
        if (this.#target.ledger.get(key)) return this.#report.count('files already there');
        if (programs.test(path)) throw new FileError('programs are not imported');
        const bytes = await readVaultFile(root, path);
        const folderId = await this.#folder(posix.dirname(path));
        const name = posix.basename(path);
        await this.#target.file(key, { baseId: this.#baseId, folderId, fileName: name, title: name, bytes });
        this.#report.count('files');
      });
      this.#report.progress('files', done + 1, files.length, path);
    }
  }

  async notes(stage: 'notes' | 'links'): Promise<void> {
    const { notes } = this.#vault;
    for (const [done, path] of notes.entries()) {
      if (!this.#failed.has(path)) await this.#attempt(path, () => this.#note(path, stage));
      this.#report.progress(stage, done + 1, notes.length, path);
    }
  }

  async #note(path: string, stage: 'notes' | 'links'): Promise<void> {
    const bytes = await readVaultFile(this.#vault.root, path);
    const title = posix
      .basename(path)
      .replace(/\.[^.]*$/, '')
      .slice(0, maxTitle);
    const source = decode(bytes);
    const { text, broken } = rewriteLinks(source, path, this.#index, (found) => this.#addressOf(found));
    const content = text.trim() === '' ? `# ${title}` : text;
    if (stage === 'links') for (let n = 0; n < broken; n++) this.#report.count('links to nothing in the folder');
    const key = `note ${path}`;
    const { ledger, server } = this.#target;
    const known = ledger.get(key);
    const hash = sha256(content);
    if (known?.hash === hash) {
      if (stage === 'notes') this.#report.count('notes already there');
      return;
    }
    const idempotencyKey = ledger.idempotencyKey(key, hash);
    if (!known) {
      const folderId = await this.#notebook(posix.dirname(path));
      const input = { content_format: 1, content, title, folder_id: folderId };
      const { data, version } = await server.send('note.import_doc', input, idempotencyKey);
      await ledger.set(key, { id: String(data['note_id']), hash, version });
      return this.#report.count('notes');
    }
    const change = { note_id: known.id, content, base_version: known.version };
    const { data } = await server.send('note.update_note', change, idempotencyKey);
    await ledger.set(key, { id: known.id, hash, version: Number(data['version']) });
    this.#report.count(stage === 'links' ? 'notes linked' : 'notes brought up to date');
  }

  /**
   * Runs `work` for one file. If the file cannot be read or the server refuses a request, reports the file and returns,
   * so that the import continues with the other files. Throws any other error.
   */
  async #attempt(path: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof RemoteError) && !(error instanceof FileError)) throw error;
      this.#failed.add(path);
      const why =
        error instanceof RemoteError && error.code === conflict
          ? 'it was changed in both places since it was imported; the note stays as it is'
          : (error as Error).message;
      this.#report.fail(path, why);
    }
  }

  #addressOf(path: string): string | undefined {
    const { ledger } = this.#target;
    const note = ledger.get(`note ${path}`);
    if (note) return `/notes/${note.id}`;
    const file = ledger.get(`file ${path}`);
    return file && `/wiki/${this.#baseId}/item/${file.id}`;
  }

  /**
   * Creates the notebook for a folder of the imported directory, and its parent notebooks, unless they exist. Returns
   * the notebook's id.
   */
  async #notebook(path: string): Promise<string> {
    if (path === '.') return this.#target.notebook('notebook', this.#name, '');
    const parent = await this.#notebook(posix.dirname(path));
    return this.#target.notebook(`notebook ${path}`, posix.basename(path), parent);
  }

  async #folder(path: string): Promise<string> {
    if (path === '.') return this.#baseId;
    const parent = await this.#folder(posix.dirname(path));
    return this.#target.folder(`folder ${path}`, this.#baseId, parent, posix.basename(path));
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new FileError('is not UTF-8 text', { cause: error });
  }
}
