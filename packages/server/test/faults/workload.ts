/**
 * Writers that never stop, and what was acknowledged to them. Notes, cells of a spreadsheet and uploads are written at once;
 * an answer of success is remembered, anything else is only counted. At the end every remembered write must be there.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Key } from '@sheaf/tools/testing/call-client.ts';

type Data = Record<string, any>;
type Kind = 'note' | 'cell' | 'upload';

const callMs = 20_000;
const pauseMs = 25;
const pauseAfterRefusalMs = 200;
const writersOfEach = 2;
const cellsOfRow = 100;

export interface Figures {
  acknowledged: Record<Kind, number>;
  refused: number;
  broken: number;
}

export class Workload {
  readonly #url: string;
  readonly #key: Key;
  readonly #notes = new Map<string, string>();
  readonly #cells = new Map<number, number>();
  readonly #uploads = new Map<string, string>();
  #place = { file: '', sheet: '', base: '' };
  #refused = 0;
  #broken = 0;
  #next = 0;
  #isRunning = false;
  #writers: Promise<void>[] = [];
  readonly codes = new Map<string, number>();

  constructor(url: string, key: Key) {
    this.#url = url;
    this.#key = key;
  }

  async begin(): Promise<void> {
    const file = await this.#must('manage', 'create_file', { title: 'Drill' });
    const base = await this.#must('wiki', 'create_knowledge_base', { name: 'Drill' });
    this.#place = { file: file['file_id'], sheet: file['sheet_id'], base: base['knowledge_base_id'] };
    this.#isRunning = true;
    const kinds: ((number: number) => Promise<void>)[] = [
      (n) => this.#note(n),
      (n) => this.#cell(n),
      (n) => this.#upload(n),
    ];
    this.#writers = kinds.flatMap((write) => Array.from({ length: writersOfEach }, () => this.#write(write)));
  }

  async end(): Promise<void> {
    this.#isRunning = false;
    await Promise.all(this.#writers);
  }

  figures(): Figures {
    return {
      acknowledged: { note: this.#notes.size, cell: this.#cells.size, upload: this.#uploads.size },
      refused: this.#refused,
      broken: this.#broken,
    };
  }

  /** What was acknowledged and is not there; empty when all is well. Uploads get time to be read. */
  async missing(patienceMs: number): Promise<string[]> {
    const missing: string[] = [];
    for (const [id, text] of this.#notes) {
      const { content } = await this.#must('note', 'get_doc_content', { note_id: id, target_content_format: 0 });
      if (!String(content).includes(text)) missing.push(`note ${id}: ${text}`);
    }
    missing.push(...(await this.#missingCells()), ...(await this.#missingUploads(patienceMs)));
    return missing;
  }

  async #missingCells(): Promise<string[]> {
    const missing: string[] = [];
    for (let row = 0; row * cellsOfRow <= this.#next; row++) {
      const region = {
        file_id: this.#place.file,
        sheet_id: this.#place.sheet,
        start_row: row,
        end_row: row,
        start_col: 0,
        end_col: cellsOfRow - 1,
      };
      const { csv_data: csv } = await this.#must('sheet', 'get_cell_data', { ...region, return_csv: true });
      const shown = String(csv).trim().split(',');
      for (const [number, value] of this.#cells) {
        if (Math.floor(number / cellsOfRow) === row && shown[number % cellsOfRow] !== String(value))
          missing.push(`cell ${number}: ${value}`);
      }
    }
    return missing;
  }

  async #missingUploads(patienceMs: number): Promise<string[]> {
    const ids = [...this.#uploads.keys()];
    for (const end = Date.now() + patienceMs; ; await sleep(500)) {
      const states = new Map<string, { state: string; reason?: string }>();
      for (let at = 0; at < ids.length; at += 100) {
        const { states: some } = await this.#must('wiki', 'get_knowledge_state', {
          media_ids: ids.slice(at, at + 100),
        });
        for (const one of some as { media_id: string; state: string; reason?: string }[]) states.set(one.media_id, one);
      }
      const unread = ids.filter((id) => states.get(id)?.state !== 'ready');
      const isOver = Date.now() > end || unread.every((id) => ['failed', undefined].includes(states.get(id)?.state));
      if (unread.length > 0 && !isOver) continue;
      return unread.map((id) => `upload ${id} (${this.#uploads.get(id)}): ${JSON.stringify(states.get(id))}`);
    }
  }

  async #write(write: (number: number) => Promise<void>): Promise<void> {
    while (this.#isRunning) {
      const before = this.#refused + this.#broken;
      await write(this.#next++);
      await sleep(this.#refused + this.#broken > before ? pauseAfterRefusalMs : pauseMs);
    }
  }

  async #note(number: number): Promise<void> {
    const text = `word${number}of the drill`;
    const data = await this.#try('note', 'import_doc', { content_format: 1, content: `# Note ${number}\n\n${text}` });
    if (data) this.#notes.set(data['note_id'], text);
  }

  async #cell(number: number): Promise<void> {
    const place = {
      file_id: this.#place.file,
      sheet_id: this.#place.sheet,
      row: Math.floor(number / cellsOfRow),
      col: number % cellsOfRow,
    };
    if (await this.#try('sheet', 'set_cell_value', { ...place, value_type: 'NUMBER', number_value: number + 7 }))
      this.#cells.set(number, number + 7);
  }

  async #upload(number: number): Promise<void> {
    const content = Buffer.from(`# File ${number}\n\nof the drill`).toString('base64');
    const data = await this.#try('wiki', 'upload_knowledge', {
      knowledge_base_id: this.#place.base,
      file_name: `${number}.md`,
      content,
    });
    if (data) this.#uploads.set(data['media_id'], `${number}.md`);
  }

  async #try(module: string, operation: string, input: object): Promise<Data | undefined> {
    try {
      const { code, msg, data } = await this.#call(module, operation, input);
      if (code === 0) return data;
      const what = `${operation} ${code} ${msg}`;
      this.codes.set(what, (this.codes.get(what) ?? 0) + 1);
      this.#refused++;
    } catch (error) {
      const what = `${operation} ${String((error as Error).cause ?? error)}`;
      this.codes.set(what, (this.codes.get(what) ?? 0) + 1);
      this.#broken++;
    }
    return undefined;
  }

  async #must(module: string, operation: string, input: object): Promise<Data> {
    const { code, msg, data } = await this.#call(module, operation, input);
    if (code !== 0) throw new Error(`${operation}: ${code} ${msg}`);
    return data;
  }

  async #call(module: string, operation: string, input: object): Promise<{ code: number; msg: string; data: Data }> {
    const response = await fetch(`${this.#url}/openapi/${module}/v1/${operation}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'svc-openapi-clientid': this.#key.clientId,
        'svc-openapi-apikey': this.#key.apiKey,
      },
      body: JSON.stringify(input),
      signal: AbortSignal.timeout(callMs),
    });
    return (await response.json()) as { code: number; msg: string; data: Data };
  }
}
