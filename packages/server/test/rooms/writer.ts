import { randomInt } from 'node:crypto';
import { SharedTextCopy } from '@sheaf/markdown/shared-text';
import type { Answer, Callable, Key } from '@sheaf/tools/testing/call-client.ts';

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** A person's browser in the room of a note: keeps a copy of the text and exchanges changes by sync_note. */
export class Writer {
  readonly #noteId: string;
  readonly #as: Key | undefined;
  readonly #client = randomInt(1, 2 ** 31);
  copy: SharedTextCopy | undefined;
  roomId: string | undefined;
  version = 0;

  constructor(noteId: string, as?: Key) {
    this.#noteId = noteId;
    this.#as = as;
  }

  get text(): string {
    return this.copy!.markdown;
  }

  change(edit: (text: string) => string): void {
    this.copy!.change(edit(this.text));
  }

  type(words: string, at: number): void {
    const { text } = this;
    this.copy!.change(text.slice(0, at) + words + text.slice(at), at + words.length);
  }

  /** Sends what is unsent and takes what is new. With `isCut` the answer is lost. Returns the answer. */
  async sync(server: Callable, more: Record<string, unknown> = {}, isCut = false): Promise<Answer> {
    const update = this.copy?.take();
    const known = this.copy ? { room_id: this.roomId, state_vector: base64(this.copy.stateVector()) } : {};
    const input = {
      note_id: this.#noteId,
      client: this.#client,
      ...known,
      ...(update ? { update: base64(update) } : {}),
      ...more,
    };
    const answer = await server.call('http', 'note', 'sync_note', input, this.#as);
    if (answer.code !== 0 || isCut) return answer;
    if (update) this.copy!.acknowledge();
    const received = Buffer.from(answer.data.update, 'base64');
    this.version = answer.data.version;
    if (!this.copy) this.copy = new SharedTextCopy(received);
    else this.copy.receive(received);
    this.roomId = answer.data.room_id;
    return answer;
  }

  /** Syncs until the server answers, for as long as a room moves between nodes. */
  async syncSoon(server: () => Callable, isCut = false): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.sync(server(), {}, isCut).catch((error: unknown): Answer => ({
        code: -1,
        msg: String(error),
        data: {},
      }));
      if (answer.code === 0) return;
      if ((answer.code !== 210003 && answer.code !== -1) || attempt === 60)
        throw new Error(`sync_note answered ${answer.code}: ${answer.msg}`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

export async function newNote(server: Callable, content: string, as?: Key): Promise<string> {
  const { data } = await server.call('http', 'note', 'import_doc', { content_format: 1, content }, as);
  return data.note_id as string;
}

export async function storedText(server: Callable, id: string, as?: Key): Promise<string> {
  const { data } = await server.call('http', 'note', 'export_note', { note_id: id, format: 'markdown' }, as);
  return data.content as string;
}
