import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { journey } from './journey.ts';
import { newDocument, openSheet } from './sheet-page.ts';

/** Number of times the server is killed during typing, for notes and for sheets each. */
const cuts = Number(process.env['SHEAF_CUTS'] ?? 5);
const seed = Number(process.env['SHEAF_SEED'] ?? Date.now() % 1_000_000);

/** A seeded random generator, so that a run can be repeated. */
function chance(start: number): () => number {
  let state = start + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe(`typing while the server is cut off ${cuts} times (SHEAF_SEED=${seed})`, async () => {
  const { sheaf, browser } = await journey();

  /** Kills the server at a random moment during typing and restarts it at another. */
  const cutDuring = async (random: () => number, typing: () => Promise<void>): Promise<void> => {
    const cut = async (): Promise<void> => {
      await pause(random() * 1500);
      await sheaf.cut();
      await pause(random() * 1200);
      await sheaf.start();
    };
    await Promise.all([cut(), typing()]);
  };
  const reload = async (page: Page): Promise<void> => {
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
  };
  /** The browser reports each request that fails while the server is stopped. */
  const onlyAway = (): void => {
    const others = browser
      .takeFaults()
      // A save that conflicts with an earlier applied attempt has status 409.
      .filter((fault) => !/ERR_|status 409|status of 409/.test(fault));
    expect(others).toEqual([]);
  };

  /**
   * Waits until all typed text is stored, then reports and checks the result. All words differ, so that missing and
   * duplicate words can be counted wherever they are.
   */
  const compare = async (where: string, words: readonly string[], expected: string, read: () => Promise<string>) => {
    let stored = '';
    await expect
      // Waiting edits are sent one after the other, which takes long if the server was stopped most of the time.
      .poll(async () => (stored = await read().catch(() => 'away')), { timeout: 60_000 + cuts * 5000, interval: 500 })
      .toBe(expected)
      .catch(() => undefined);
    const times = new Map<string, number>();
    for (const word of stored.split(/\s+/)) times.set(word, (times.get(word) ?? 0) + 1);
    const lettersOf = (some: readonly string[]): number => some.reduce((sum, word) => sum + word.length, 0);
    const lost = words.filter((word) => !times.has(word));
    const doubled = words.filter((word) => (times.get(word) ?? 0) > 1);
    process.stdout.write(
      `${where}, ${cuts} cuts, SHEAF_SEED=${seed}: ${lettersOf(words)} characters typed, ` +
        `${lettersOf(lost)} lost, ${lettersOf(doubled)} doubled\n`,
    );
    expect([lost.slice(0, 20), doubled.slice(0, 20)]).toEqual([[], []]);
    expect(stored).toBe(expected);
  };

  test('not a letter of a note is lost, none is there twice', { timeout: 120_000 + cuts * 30_000 }, async () => {
    const random = chance(seed);
    const { note_id } = await sheaf.client.note.import_doc({ content_format: 1, content: '# Typed' });
    const page = await browser.signedIn(sheaf);
    const open = async (): Promise<void> => {
      await page.locator('.ProseMirror[contenteditable=true]').waitFor({ timeout: 60_000 });
      // Repeats until the caret is at the end, because a new editor may still restore an earlier position.
      const isAtEnd = async (): Promise<boolean> => {
        await page.locator('.ProseMirror > *').last().click();
        await page.keyboard.press('Control+End');
        await pause(100);
        return page.evaluate(() => {
          const { anchorNode, anchorOffset } = getSelection()!;
          const last = document.querySelector('.ProseMirror')!.lastElementChild!;
          return last.contains(anchorNode) && anchorOffset === (anchorNode?.textContent ?? '').length;
        });
      };
      await expect.poll(isAtEnd, { timeout: 15_000 }).toBe(true);
    };
    await page.goto(`${sheaf.url}/notes/${note_id}`);
    await open();
    const paragraphs: string[] = [];
    for (let round = 1; round <= cuts; round++) {
      const words = Array.from({ length: 8 }, (_, index) => `r${round}w${index}`);
      paragraphs.push(words.join(' '));
      await cutDuring(random, async () => {
        await page.keyboard.press('Enter');
        for (const [index, word] of words.entries()) {
          await page.keyboard.type(index === 0 ? word : ` ${word}`, { delay: random() * 40 });
          await pause(random() * 500);
        }
      });
      if (random() < 0.3) {
        await reload(page);
        await open();
      }
    }
    const expected = ['# Typed', ...paragraphs].join('\n\n');
    const stored = async (): Promise<string> =>
      (await sheaf.client.note.export_note({ note_id, format: 'markdown' })).content;
    await compare('notes', paragraphs.join(' ').split(' '), expected, stored);
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('sheaf.draft.'))),
    ).toEqual([]);
    onlyAway();
  });

  test('not a cell of a sheet is lost, none is written twice', { timeout: 120_000 + cuts * 30_000 }, async () => {
    const random = chance(seed + 1);
    const sheet = await openSheet(browser, sheaf, await newDocument(sheaf, 'Typed'));
    const { page } = sheet;
    const cells: string[] = [];
    for (let round = 1; round <= cuts; round++) {
      const texts = Array.from({ length: 6 }, (_, index) => `r${round}c${index}`);
      cells.push(...texts);
      await cutDuring(random, async () => {
        for (const text of texts) {
          await page.keyboard.type(text, { delay: random() * 40 });
          await page.keyboard.press('Enter');
          await pause(random() * 500);
        }
      });
      if (random() < 0.3) {
        await reload(page);
        await page.locator('[data-grid-field]').waitFor({ timeout: 60_000 });
        await page.getByLabel('Go to cell or range').fill(`A${cells.length + 1}`);
        await page.keyboard.press('Enter');
      }
    }
    await compare('sheets', cells, `${cells.join('\n')}\n`, () => sheet.csv(`A1:A${cells.length}`));
    await expect
      .poll(() =>
        page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('sheaf.outbox/')).length),
      )
      .toBe(0);
    let written = 0;
    for (let cursor = ''; ;) {
      const { revisions, next_cursor, is_end } = await sheaf.client.sheet.get_history({
        file_id: sheet.file_id,
        cursor,
        limit: 200,
      });
      written += revisions.filter(({ tool }) => tool === 'enter_cells').length;
      if (is_end) break;
      cursor = next_cursor;
    }
    expect(written).toBe(cells.length);
    onlyAway();
  });
});
