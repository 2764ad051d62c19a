/** Random programs of up to five writers, operations, delays, cuts and restarts: every copy and the note end with the same text. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SharedTextCopy } from '@sheaf/markdown/shared-text';
import { NoteRoom, type RoomHost } from '../../../src/modules/note/rooms/note-room.ts';
import { StoredNote } from './stored-note.ts';

const programs = Number(process.env['ROOM_PROGRAMS'] ?? 2000);

interface Writer {
  readonly id: string;
  copy: SharedTextCopy;
  isAway: boolean;
}

class Simulation {
  readonly note: StoredNote;
  readonly #host: RoomHost;
  readonly writers: Writer[];
  #room: NoteRoom | undefined;
  #marks = 0;
  readonly typed = new Set<string>();
  readonly removed = new Set<string>();

  constructor(markdown: string, count: number) {
    this.note = new StoredNote(markdown);
    this.#host = this.note.host();
    this.writers = Array.from({ length: count }, (_, index) => ({
      id: `user_${index}`,
      copy: undefined as unknown as SharedTextCopy,
      isAway: false,
    }));
  }

  async join(): Promise<void> {
    const room = await this.room();
    for (const writer of this.writers) writer.copy = new SharedTextCopy(room.encode());
  }

  async room(): Promise<NoteRoom> {
    return (this.#room ??= await NoteRoom.open(this.#host, this.note.takeLease(), this.note.ids));
  }

  /** A word that occurs nowhere else, so that it can be counted at the end. */
  #mark(): string {
    return this.#count(`<${this.#marks++}>`);
  }

  /**
   * A word of an operation begins and ends with other letters than one that is typed, because the edits of an operation
   * are derived from two texts: next to equal letters they do not tell which were inserted.
   */
  #operationMark(): string {
    return this.#count(`[${this.#marks++}]`);
  }

  #count(mark: string): string {
    this.typed.add(mark);
    return mark;
  }

  type(writer: Writer, at: number, isLine: boolean): void {
    const text = writer.copy.markdown;
    const place = betweenMarks(text, Math.floor(at * (text.length + 1)));
    const typed = `${this.#mark()}${isLine ? '\n' : ''}`;
    writer.copy.change(text.slice(0, place) + typed + text.slice(place), place + typed.length);
  }

  erase(writer: Writer, at: number): void {
    const found = [...writer.copy.markdown.matchAll(/<\d+>/g)];
    const mark = found[Math.floor(at * found.length)];
    if (!mark) return;
    this.removed.add(mark[0]);
    writer.copy.change(writer.copy.markdown.replace(mark[0], ''), mark.index);
  }

  /** Sends a writer's changes. With `isCut` the answer is lost, so that they are sent again. */
  async sync(writer: Writer, isCut: boolean): Promise<void> {
    if (writer.isAway) return;
    const room = await this.room();
    const update = writer.copy.take();
    if (update) await room.push(update, { userId: writer.id, keyId: '', requestId: '' });
    if (isCut) return;
    if (update) writer.copy.acknowledge();
    writer.copy.receive(room.encode(writer.copy.stateVector()));
  }

  /** A browser that is closed and opened again, with what it had stored. */
  reload(writer: Writer): void {
    const { state, pending } = writer.copy.stored();
    writer.copy = new SharedTextCopy(state, pending);
  }

  /** The node is lost, or another one takes the room over: what is stored is all that is left. */
  crash(): void {
    this.#room = undefined;
  }

  async save(): Promise<void> {
    await (await this.room()).save();
  }

  /** An operation on the stored text, past the room. The room learns of it now or when it next saves. */
  async operate(at: number, isAppend: boolean, isTold: boolean): Promise<void> {
    const text = this.note.markdown;
    const place = isAppend ? text.length : betweenMarks(text, Math.floor(at * (text.length + 1)));
    this.note.write(`${text.slice(0, place)}${isAppend ? '\n\n' : ''}${this.#operationMark()}${text.slice(place)}`);
    if (isTold && this.#room) await this.#room.absorb();
  }
}

/** Moves a place out of a mark, so that no mark is split. */
function betweenMarks(text: string, at: number): number {
  for (const mark of text.matchAll(/<\d+>|\[\d+\]/g)) {
    if (mark.index < at && at < mark.index + mark[0].length) return mark.index;
  }
  return at;
}

const fraction = fc.double({ min: 0, max: 0.999, noNaN: true });
const who = fc.nat({ max: 4 });
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('type' as const), who, at: fraction, isLine: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('erase' as const), who, at: fraction }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('sync' as const), who, isCut: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('leave' as const, 'return' as const, 'reload' as const), who }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('crash' as const, 'save' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('operate' as const),
      at: fraction,
      isAppend: fc.boolean(),
      isTold: fc.boolean(),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function run(simulation: Simulation, next: Step): Promise<void> {
  if (next.kind === 'operate') return simulation.operate(next.at, next.isAppend, next.isTold);
  if (!('who' in next)) return next.kind === 'crash' ? simulation.crash() : simulation.save();
  const writer = simulation.writers[next.who % simulation.writers.length]!;
  if (next.kind === 'type') return simulation.type(writer, next.at, next.isLine);
  if (next.kind === 'erase') return simulation.erase(writer, next.at);
  if (next.kind === 'sync') return simulation.sync(writer, next.isCut);
  if (next.kind === 'reload') return simulation.reload(writer);
  writer.isAway = next.kind === 'leave';
}

test(
  `[T89] [finding P12] ${programs} random programs of up to five writers end with one text, nothing lost and nothing twice`,
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          '',
          '# Title\n\nfirst\n\nsecond\n',
          'a line\r\nanother\r\n',
          '- [ ] one\n- [x] two\n- 😀 three',
        ),
        fc.integer({ min: 1, max: 5 }),
        fc.array(step, { maxLength: 60 }),
        async (markdown, count, steps) => {
          const simulation = new Simulation(`start ${markdown}`, count);
          await simulation.join();
          for (const next of steps) await run(simulation, next);
          await settle(simulation);
          const final = simulation.note.markdown;
          for (const { copy } of simulation.writers) expect(copy.markdown).toBe(final);
          for (const mark of simulation.typed) {
            const occurrences = final.split(mark).length - 1;
            if (simulation.removed.has(mark)) expect(occurrences).toBeLessThanOrEqual(1);
            else expect([mark, occurrences]).toEqual([mark, 1]);
          }
        },
      ),
      { numRuns: programs },
    );
  },
);

/** Brings everybody back and lets all changes arrive. */
async function settle(simulation: Simulation): Promise<void> {
  for (const writer of simulation.writers) writer.isAway = false;
  for (let round = 0; round < 2; round++) {
    for (const writer of simulation.writers) await simulation.sync(writer, false);
    await simulation.save();
  }
  await (await simulation.room()).absorb();
  for (const writer of simulation.writers) await simulation.sync(writer, false);
}
