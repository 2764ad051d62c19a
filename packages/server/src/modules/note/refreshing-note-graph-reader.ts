import type { NoteGraphReader, NoteGraphStore, NoteToScan } from '../../ports/note-graph.ts';
import type { NoteStore } from '../../ports/note-store.ts';
import { TextTooComplex, type NoteScan, type NoteText } from '../../ports/note-text.ts';

/** Maximum number of notes, and of bytes of text, that are read at a time. */
const batchSize = 200;
const batchBytes = 4 * 2 ** 20;

const nothing: NoteScan = { links: [], tags: [], tasks: [] };

/**
 * Extracts the links, tags and tasks from the texts of a user's notes and stores them. A changed note is scanned again
 * only when links, tags or tasks are requested.
 */
export class RefreshingNoteGraphReader implements NoteGraphReader {
  readonly #store: NoteGraphStore;
  readonly #notes: Pick<NoteStore, 'markdowns'>;
  readonly #text: Pick<NoteText, 'scan'>;

  constructor(store: NoteGraphStore, notes: Pick<NoteStore, 'markdowns'>, text: Pick<NoteText, 'scan'>) {
    this.#store = store;
    this.#notes = notes;
    this.#text = text;
  }

  async refresh(userId: string): Promise<void> {
    // Process the notes in id order, so that a note which changes all the time is scanned only once per call.
    for (let after = ''; ;) {
      const changed = await this.#store.notesToScan(userId, after, batchSize);
      for (const batch of inBatches(changed)) await this.#scan(userId, batch);
      if (changed.length < batchSize) break;
      after = changed.at(-1)!.id;
    }
  }

  async #scan(userId: string, notes: readonly NoteToScan[]): Promise<void> {
    const texts = await this.#notes.markdowns(notes.map((note) => note.id));
    const scans: { note: NoteToScan; scan: NoteScan }[] = [];
    for (const note of notes) {
      const text = texts.get(note.id);
      if (text !== undefined) scans.push({ note, scan: await this.#scanText(userId, text) });
    }
    if (scans.length > 0) await this.#store.save(userId, scans);
  }

  async #scanText(userId: string, text: string): Promise<NoteScan> {
    try {
      return await this.#text.scan(userId, text);
    } catch (error) {
      // If a text takes too long to scan, treat it as a text without links: an error would prevent the listing of all
      // other notes.
      if (error instanceof TextTooComplex) return nothing;
      throw error;
    }
  }

  async #refreshLinks(userId: string): Promise<void> {
    await this.refresh(userId);
    await this.#store.resolve(userId);
  }

  async links(...[query]: Parameters<NoteGraphReader['links']>) {
    await this.#refreshLinks(query.userId);
    return this.#store.links(query);
  }

  async linksTo(...args: Parameters<NoteGraphReader['linksTo']>) {
    await this.#refreshLinks(args[0]);
    return this.#store.linksTo(...args);
  }

  async tasks(...[query]: Parameters<NoteGraphReader['tasks']>) {
    await this.refresh(query.userId);
    return this.#store.tasks(query);
  }

  async countTasks(...[query]: Parameters<NoteGraphReader['countTasks']>) {
    await this.refresh(query.userId);
    return this.#store.countTasks(query);
  }
}

function* inBatches(notes: readonly NoteToScan[]): Generator<NoteToScan[]> {
  let batch: NoteToScan[] = [];
  let bytes = 0;
  for (const note of notes) {
    if (bytes + note.size > batchBytes && batch.length > 0) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(note);
    bytes += note.size;
  }
  if (batch.length > 0) yield batch;
}
