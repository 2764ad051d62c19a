/** Two browsers and an agent write one note while their lines are cut: 20 times here, 200 with SHEAF_CUTS=200. */
import { describe, expect, test } from 'vitest';
import type { BrowserContext, Page } from 'playwright-core';
import { createClient } from '@sheaf/client';
import { NetworkLink } from '@sheaf/tools/testing/network-link.ts';
import { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';
import { journey } from './journey.ts';

const cuts = Number(process.env['SHEAF_CUTS'] ?? 20);
const wantedCharacters = cuts * 50;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('a note that is written together over lines that break', async () => {
  const { sheaf, browser } = await journey();
  const random = new SeededRandom(35);

  const markdownOf = async (id: string): Promise<string> =>
    (await sheaf.client.note.export_note({ note_id: id, format: 'markdown' })).content;
  const opened = async (id: string): Promise<Page> => {
    const page = await browser.signedIn(sheaf);
    await page.goto(`${sheaf.url}/notes/${id}`);
    await page.locator('.ProseMirror[contenteditable=true]').waitFor();
    return page;
  };
  const shownIn = (page: Page): Promise<string[]> =>
    page.locator('.ProseMirror').evaluate((element) => [...element.children].map((block) => block.textContent.trim()));

  /** Types numbered words at the end of the line with the name, until the cuts are over and enough is written. */
  async function write(page: Page, name: string, isOver: () => boolean): Promise<string[]> {
    await page.locator('.ProseMirror').getByText(`${name}:`).click();
    await page.keyboard.press('End');
    const words: string[] = [];
    for (let letters = 0; !isOver() || letters < wantedCharacters * 0.45;) {
      const word = `${name}${words.length}${'x'.repeat(random.below(30))}`;
      await page.keyboard.type(' ');
      // A word at once, as dictation and input methods write: 10,000 key presses would take most of the time.
      await page.keyboard.insertText(word);
      words.push(word);
      letters += word.length + 1;
      await pause(random.below(60));
    }
    return words;
  }

  /** Appends numbered words. A call whose line is cut is repeated with its Idempotency-Key, as clients do. */
  async function append(id: string, link: NetworkLink, isOver: () => boolean): Promise<string[]> {
    const { clientId, apiKey } = { clientId: sheaf.credentials.client_id, apiKey: sheaf.credentials.api_key };
    const agent = createClient({ url: link.through(sheaf.url), clientId, apiKey });
    const words: string[] = [];
    while (!isOver() || words.length < 60) {
      const content = `agent${words.length} says ${'y'.repeat(random.below(30))}z`;
      const options = { idempotencyKey: `${id}-${words.length}` };
      for (let attempt = 0; ; attempt++) {
        const done = await agent.note.append_doc({ note_id: id, content_format: 1, content }, options).then(
          () => true,
          () => false,
        );
        if (done) break;
        if (attempt === 200) throw new Error(`append_doc was not answered: ${content}`);
        await pause(100);
      }
      words.push(content);
      await pause(random.below(300));
    }
    return words;
  }

  /** Cuts the line of somebody at a random moment for a random time. */
  async function cut(contexts: readonly BrowserContext[], link: NetworkLink): Promise<void> {
    const who = random.below(3);
    await pause(random.below(150));
    if (who === 2) link.fail(random.fraction() < 0.5 ? 'cut' : 'answers lost');
    else await contexts[who]!.setOffline(true);
    await pause(random.below(150));
    if (who === 2) {
      // Answers that were held back are lost for good.
      link.breakConnections();
      link.mend();
    } else await contexts[who]!.setOffline(false);
  }

  test(
    `[finding P12] ${cuts} cuts, ${wantedCharacters} characters: nothing is lost, nothing is there twice, all see one text`,
    { timeout: 400_000 },
    async () => {
      const { note_id: id } = await sheaf.client.note.import_doc({
        content_format: 1,
        content: '# Cuts\n\nada:\n\nben:\n\nend',
      });
      const pages = [await opened(id), await opened(id)] as const;
      await sheaf.client.note.append_doc({ note_id: id, content_format: 1, content: 'begin' });
      for (const page of pages) await page.getByRole('list', { name: 'Also in this note' }).waitFor();
      const link = await NetworkLink.to(sheaf.url);
      let left = cuts;
      const isOver = (): boolean => left === 0;
      const cutting = (async () => {
        for (; left > 0; left--)
          await cut(
            pages.map((page) => page.context()),
            link,
          );
      })();
      const [ada, ben, agent] = await Promise.all([
        write(pages[0], 'ada', isOver),
        write(pages[1], 'ben', isOver),
        append(id, link, isOver),
        cutting,
      ]);
      await link.close();
      const lines = [`ada: ${ada.join(' ')}`, `ben: ${ben.join(' ')}`];
      const expected = `# Cuts\n\n${lines[0]}\n\n${lines[1]}\n\nend\n\nbegin\n\n${agent.join('\n\n')}`;
      expect([...ada, ...ben, ...agent].join('').length).toBeGreaterThan(wantedCharacters);
      await expect.poll(() => markdownOf(id), { timeout: 60_000 }).toBe(expected);
      for (const page of pages)
        await expect
          .poll(() => shownIn(page), { timeout: 60_000 })
          .toEqual(['Cuts', ...lines, 'end', 'begin', ...agent]);
      for (const page of pages) await page.close();
      // The cut lines are reported by the browser.
      browser.takeFaults();
    },
  );
});
