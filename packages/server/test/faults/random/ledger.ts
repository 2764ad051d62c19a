/**
 * Writers of notes, rows, folders and uploads that remember what was acknowledged. Half of their calls carry an idempotency
 * key and are repeated over any node until they are known to be done: those must have happened once. Of the others,
 * acknowledged ones must have happened once, and those without an answer at most once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';
import type { Callers, Reached } from './callers.ts';

const sharedNotes = 3;
const writersOfEach = 2;
const pauseMs = 40;
const readMs = 180_000;

type Kind = 'note' | 'append' | 'row' | 'folder' | 'upload';

interface Place {
  file: string;
  sheet: string;
  base: string;
  notebook: string;
  notes: string[];
}

/** What reads of a whole installation find: how often each word is there. */
export type Contents = Record<Kind, ReadonlyMap<string, number>>;

type Read = (module: string, operation: string, input: object) => Promise<Record<string, any>>;

export class Ledger {
  readonly #callers: Callers;
  readonly #chance: SeededRandom;
  readonly #tried: Record<Kind, Set<string>> = sets();
  readonly #done: Record<Kind, Set<string>> = sets();
  readonly #mediaIds = new Map<string, string>();
  /** When the answer to a word's call came. */
  readonly doneAt = new Map<string, number>();
  #place: Place = { file: '', sheet: '', base: '', notebook: '', notes: [] };
  #next: number;
  readonly #writers: Promise<void>[] = [];
  readonly refused = new Map<string, number>();

  /** `first` is the number of its first word: words are idempotency keys, and a key is used once in an installation. */
  constructor(callers: Callers, chance: SeededRandom, first = 0) {
    this.#next = first;
    this.#callers = callers;
    this.#chance = chance;
  }

  /** Makes what is written to. */
  async prepare(): Promise<void> {
    const must: Read = (module, operation, input) => this.#callers.must(module, operation, input);
    const file = await must('manage', 'create_file', { title: 'Rows' });
    const base = await must('wiki', 'create_knowledge_base', { name: 'Random drill' });
    const { folder } = await must('note', 'add_notebook', { name: `Random drill ${this.#chance.below(2 ** 32)}` });
    const notes: string[] = [];
    for (let n = 0; n < sharedNotes; n++)
      notes.push((await must('note', 'import_doc', { content_format: 1, content: `# Shared ${n}` }))['note_id']);
    this.#place = {
      file: file['file_id'],
      sheet: file['sheet_id'],
      base: base['knowledge_base_id'],
      notebook: folder['folder_id'],
      notes,
    };
  }

  /** Until the callers end. */
  begin(): void {
    for (const kind of Object.keys(this.#tried) as Kind[])
      for (let n = 0; n < writersOfEach; n++) this.#writers.push(this.#write(kind, this.#chance.fork(), n === 0));
  }

  async end(): Promise<void> {
    await Promise.all(this.#writers.splice(0));
  }

  /** What is acknowledged by now, for a copy that is made from now on. */
  acknowledged(): Record<Kind, ReadonlySet<string>> {
    return Object.fromEntries(Object.entries(this.#done).map(([kind, words]) => [kind, new Set(words)])) as never;
  }

  get figures(): string {
    return Object.entries(this.#done)
      .map(([kind, done]) => `${done.size}/${this.#tried[kind as Kind].size} ${kind}s`)
      .join(', ');
  }

  /** What is wrong with the contents; empty when all is well. */
  judge(contents: Contents, acknowledged: Record<Kind, ReadonlySet<string>> = this.#done): string[] {
    const wrong: string[] = [];
    for (const kind of Object.keys(contents) as Kind[]) {
      for (const word of acknowledged[kind])
        if (!contents[kind].has(word)) wrong.push(`${kind} ${word} was acknowledged and is not there`);
      for (const [word, count] of contents[kind]) {
        if (count > 1) wrong.push(`${kind} ${word} is there ${count} times`);
        if (!this.#tried[kind].has(word)) wrong.push(`${kind} ${word} is there, and nobody wrote it`);
      }
    }
    return wrong;
  }

  /** Acknowledged words that are not there. */
  missing(contents: Contents): string[] {
    return (Object.keys(contents) as Kind[]).flatMap((kind) =>
      [...this.#done[kind]].filter((word) => !contents[kind].has(word)),
    );
  }

  contentsOver(node: Reached): Promise<Contents> {
    return this.contents((module, operation, input) => this.#callers.must(module, operation, input, node));
  }

  async contents(read: Read): Promise<Contents> {
    return {
      note: await this.#notes(read),
      append: await this.#appends(read),
      row: await this.#rows(read),
      folder: await this.#items(read, 'folder'),
      upload: await this.#items(read, 'upload'),
    };
  }

  /** Uploads that are acknowledged and not read to the end, but for the lost ones: jobs must survive everything too. */
  async unread(lost: ReadonlySet<string> = new Set()): Promise<string[]> {
    const ids = [...this.#mediaIds].flatMap(([id, word]) => (lost.has(word) ? [] : [id]));
    for (const end = Date.now() + readMs; ; await sleep(1000)) {
      const unread: string[] = [];
      for (let at = 0; at < ids.length; at += 100) {
        const { states } = await this.#callers.must('wiki', 'get_knowledge_state', {
          media_ids: ids.slice(at, at + 100),
        });
        for (const { media_id: id, state, reason } of states as { media_id: string; state: string; reason?: string }[])
          if (state !== 'ready') unread.push(`upload ${this.#mediaIds.get(id)} is ${state} ${reason ?? ''}`);
      }
      if (unread.length === 0 || Date.now() > end) return unread;
    }
  }

  async #write(kind: Kind, chance: SeededRandom, isPersistent: boolean): Promise<void> {
    while (this.#callers.isRunning) {
      const word = `w${kind}${this.#next++}w`;
      const [module, operation, input] = this.#call(kind, word, chance);
      this.#tried[kind].add(word);
      const outcome = isPersistent
        ? await this.#callers.persist(chance, module, operation, input, word)
        : await this.#callers.call(this.#callers.someNode(chance), module, operation, input);
      if (outcome.kind === 'done' || (outcome.kind === 'refused' && outcome.wasApplied)) {
        this.#done[kind].add(word);
        this.doneAt.set(word, performance.now());
      }
      if (outcome.kind === 'done' && kind === 'upload') this.#mediaIds.set(outcome.data['media_id'], word);
      if (outcome.kind === 'refused' && !outcome.wasApplied)
        this.refused.set(`${operation} ${outcome.why}`, (this.refused.get(`${operation} ${outcome.why}`) ?? 0) + 1);
      await sleep(outcome.kind === 'done' ? pauseMs : pauseMs * 5);
    }
  }

  #call(kind: Kind, word: string, chance: SeededRandom): [string, string, object] {
    const { file, sheet, base, notebook, notes } = this.#place;
    switch (kind) {
      case 'note':
        return ['note', 'import_doc', { content_format: 1, folder_id: notebook, content: `# ${word}\n\nof the drill` }];
      case 'append':
        return ['note', 'append_doc', { note_id: chance.oneOf(notes), content_format: 1, content: word }];
      case 'row':
        return ['sheet', 'append_rows', { file_id: file, sheet_id: sheet, rows: [[word, 1]] }];
      case 'folder':
        return ['wiki', 'create_folder', { knowledge_base_id: base, name: word }];
      case 'upload': {
        const content = Buffer.from(`# ${word}\n\nof the drill`).toString('base64');
        return ['wiki', 'upload_knowledge', { knowledge_base_id: base, file_name: `${word}.md`, content }];
      }
    }
  }

  async #notes(read: Read): Promise<Map<string, number>> {
    const titles = await pages(
      read,
      'note',
      'list_note',
      { folder_id: this.#place.notebook, sort_type: 1, limit: 20 },
      'note_book_list',
    );
    return counted(titles.map((note) => String(note['title'])).filter((title) => title.startsWith('wnote')));
  }

  async #appends(read: Read): Promise<Map<string, number>> {
    const words: string[] = [];
    for (const id of this.#place.notes) {
      const { content } = await read('note', 'get_doc_content', { note_id: id, target_content_format: 0 });
      words.push(...(String(content).match(/wappend\d+w/g) ?? []));
    }
    return counted(words);
  }

  async #rows(read: Read): Promise<Map<string, number>> {
    const { file, sheet } = this.#place;
    const region = { file_id: file, sheet_id: sheet, start_row: 0, start_col: 0, end_row: 19_999, end_col: 0 };
    const { csv_data: csv } = await read('sheet', 'get_cell_data', { ...region, return_csv: true });
    const validation = await read('sheet', 'validate_file_data', { file_id: file });
    if (validation['is_valid'] !== true) throw new Error(`the rows' document: ${JSON.stringify(validation)}`);
    return counted(String(csv).match(/wrow\d+w/g) ?? []);
  }

  async #items(read: Read, kind: 'folder' | 'upload'): Promise<Map<string, number>> {
    const input = { knowledge_base_id: this.#place.base, limit: 50 };
    const items = await pages(read, 'wiki', 'get_knowledge_list', input, 'knowledge_list');
    const words = items.map((item) => String(item['title']).replace(/\.md$/, ''));
    return counted(words.filter((word) => word.startsWith(`w${kind}`)));
  }
}

async function pages(
  read: Read,
  module: string,
  operation: string,
  input: object,
  field: string,
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  let cursor = '';
  do {
    const page = await read(module, operation, { ...input, cursor });
    found.push(...(page[field] as Record<string, unknown>[]));
    if (page['is_end']) break;
    cursor = String(page['next_cursor'] ?? '');
  } while (cursor !== '');
  return found;
}

function counted(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function sets(): Record<Kind, Set<string>> {
  return { note: new Set(), append: new Set(), row: new Set(), folder: new Set(), upload: new Set() };
}
