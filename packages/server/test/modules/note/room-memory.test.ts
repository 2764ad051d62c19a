import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { SharedTextCopy } from '@sheaf/markdown/shared-text';
import { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';
import { RoomText } from '../../../src/modules/note/rooms/room-text.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapBytes(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

/** Two people type for an hour, five letters a second, in runs of some words at any place, and delete some of it. */
function typeForAnHour(room: RoomText): void {
  const random = new SeededRandom(35);
  const writers = [0, 1].map(() => new SharedTextCopy(room.encode()));
  let letters = 0;
  while (letters < 5 * 3600) {
    const writer = writers[random.below(2)]!;
    writer.receive(room.encode(writer.stateVector()));
    let at = random.below(writer.markdown.length + 1);
    const run = 20 + random.below(80);
    for (let typed = 0; typed < run; typed++, letters++) {
      const text = writer.markdown;
      const isErased = random.below(10) === 0 && at > 0;
      if (isErased) writer.change(text.slice(0, at - 1) + text.slice(at), at - 1);
      else writer.change(text.slice(0, at) + 'etaoin shrdlu'[random.below(13)]! + text.slice(at), at + 1);
      at += isErased ? -1 : 1;
      // The page collects what is typed within a tenth of a second and more.
      if (typed % 3 === 2 || typed === run - 1) {
        room.apply(writer.take()!, 2 ** 20);
        writer.acknowledge();
      }
    }
  }
}

test('a room takes at most twice the size of its text and 1 MB after an hour of typing', { timeout: 300_000 }, () => {
  // The first run loads what is loaded once.
  typeForAnHour(RoomText.fromMarkdown('warm'));
  const before = heapBytes();
  const room = RoomText.fromMarkdown('# Minutes\n\n');
  typeForAnHour(room);
  const bytes = heapBytes() - before;
  console.info(`${bytes} bytes for a text of ${room.length} letters in ${room.pieces} pieces`);
  expect(room.length).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(2 * room.length + 1_000_000);
});
