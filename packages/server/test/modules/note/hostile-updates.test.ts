/** Updates that a hostile writer sends to the room of a note: refused, within bounds, and the room goes on. */
import { Doc, applyUpdate, encodeStateAsUpdate, encodeStateVector } from 'yjs';
import { describe, expect, test } from 'vitest';
import { SharedTextCopy } from '@sheaf/markdown/shared-text';
import { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';
import { UpdateRefused, maxUpdateBytes } from '../../../src/modules/note/rooms/check-update.ts';
import { RoomText } from '../../../src/modules/note/rooms/room-text.ts';

const maxText = 10_000;
const text = 'a text that several have open\n';

/** All copies of the room have one text, and whoever writes after a hostile update is not hindered by it. */
function expectToGoOn(room: RoomText): void {
  const writer = new SharedTextCopy(room.encode());
  expect(writer.markdown).toBe(room.markdown);
  const letters = [...writer.markdown];
  writer.change(letters.toSpliced(Math.floor(letters.length / 3), 1, 'XY').join(''));
  expect(room.apply(writer.take()!, maxText)).toBe(true);
  expect(room.markdown).toBe(writer.markdown);
  expect(Buffer.byteLength(room.markdown)).toBeLessThanOrEqual(maxText);
  writer.close();
}

/** Returns an update of many pieces, each inserted before the one that was inserted last. */
function manyPieces(room: RoomText, count: number): Uint8Array {
  const doc = new Doc();
  applyUpdate(doc, room.encode());
  const known = encodeStateVector(doc);
  const shared = doc.getText('markdown');
  doc.transact(() => {
    for (let piece = 0; piece < count; piece++) shared.insert(0, 'p');
  });
  return encodeStateAsUpdate(doc, known);
}

describe('updates of a hostile writer', () => {
  test('[T89] an update that is too large, too deep or too long is refused and changes nothing', () => {
    const room = RoomText.fromMarkdown(text);
    const tries: [update: Uint8Array, message: RegExp][] = [
      [new Uint8Array(maxUpdateBytes + 1), /must be at most/],
      [manyPieces(room, maxText + 1), /would make the text too long/],
    ];
    const full = RoomText.fromMarkdown('');
    full.apply(manyPieces(full, 9000), 2 ** 20);
    for (const [update, message] of tries) expect(() => room.apply(update, maxText)).toThrow(message);
    expect(room.markdown).toBe(text);
    // Each of many pieces is placed between as many others, which takes the square of their number.
    expect(() => full.apply(manyPieces(full, 9000), 2 ** 20)).toThrow(/has too many pieces/);
    expect(full.length).toBe(9000);
    expectToGoOn(room);
  });

  test('[T89] a piece whose right neighbor is before its left one is refused, also if they come with it', () => {
    const room = RoomText.fromMarkdown(text);
    const writer = new SharedTextCopy(room.encode());
    writer.change(`${text.slice(0, 8)}new${text.slice(8)}`);
    const update = writer.take()!;
    const client = [...writer.doc.store.clients.keys()].find((one) => one !== writer.client)!;
    const bytes = (id: number, clock: number): number[] => [...encodeId(id), clock];
    // The ids of the neighbors follow each other; they are the letters 7 and 8 of the text.
    const crossed = replaceBytes(
      update,
      [...bytes(client, 7), ...bytes(client, 8)],
      [...bytes(client, 8), ...bytes(client, 7)],
    );
    expect(() => room.apply(crossed, maxText)).toThrow('has a piece whose neighbors are the wrong way round');
    const own = new Doc();
    applyUpdate(own, room.encode());
    const known = encodeStateVector(own);
    own.getText('markdown').insert(0, 'ab');
    own.getText('markdown').insert(1, 'c');
    const both = encodeStateAsUpdate(own, known);
    const id = own.clientID;
    const crossedInside = replaceBytes(both, [...bytes(id, 0), ...bytes(id, 1)], [...bytes(id, 1), ...bytes(id, 0)]);
    expect(() => room.apply(crossedInside, maxText)).toThrow('has a piece whose neighbors are the wrong way round');
    expect(room.apply(both, maxText)).toBe(true);
    expect(room.apply(update, maxText)).toBe(true);
    expect(room.markdown).toBe(`acb${text.slice(0, 8)}new${text.slice(8)}`);
    expectToGoOn(room);
  });

  test('[T89] 5,000 damaged updates neither stop a room nor grow it past its limit, and all copies have its text', () => {
    const random = new SeededRandom(89);
    let refused = 0;
    for (let number = 0; number < 100; number++) {
      const room = RoomText.fromMarkdown(text);
      for (let round = 0; round < 50; round++) {
        const writer = new SharedTextCopy(room.encode());
        const letters = [...writer.markdown];
        const at = random.below(letters.length + 1);
        writer.change(letters.toSpliced(at, random.below(20), 'é'.repeat(random.below(40))).join(''));
        const update = Uint8Array.from(writer.take() ?? [0, 0]);
        for (let damage = 1 + random.below(3); damage > 0; damage--)
          update[random.below(update.length)] = random.below(256);
        const length = random.below(4) === 0 ? random.below(update.length + 1) : update.length;
        try {
          room.apply(update.subarray(0, length), maxText);
        } catch (error) {
          if (!(error instanceof UpdateRefused)) throw error;
          refused += 1;
        }
        writer.close();
      }
      expectToGoOn(room);
      room.close();
    }
    expect(refused).toBeGreaterThan(1000);
  });
});

/** Returns a client id as updates contain it: seven bits to a byte, the lowest first. */
function encodeId(id: number): number[] {
  const bytes: number[] = [];
  let rest = id;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push(128 + (rest % 128));
  return [...bytes, rest];
}

function replaceBytes(update: Uint8Array, from: readonly number[], to: readonly number[]): Uint8Array {
  const at = update.findIndex((_, index) => from.every((byte, offset) => update[index + offset] === byte));
  expect(at).toBeGreaterThan(0);
  const changed = Uint8Array.from(update);
  changed.set(to, at);
  return changed;
}
