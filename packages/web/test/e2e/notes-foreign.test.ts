import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { commonMarkExamples, extendedForms, installedReadmes } from '@sheaf/tools/testing/foreign-markdown.ts';
import { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';
import { journey } from './journey.ts';

const perTest = 40;
const tabs = 4;
const readmes = 40;
/** One text of so many is tried; all 726 take ten minutes, so vitest.config.ts runs this only if the variable is set. */
const every = Number(process.env['SHEAF_FOREIGN_MARKDOWN'] ?? 1);
/** For a slow machine; a text that is never opened or saved fails on any. */
const timeout = 60_000;

/** What the editor knows of a node; it hangs the node on its element. */
interface EditorNode {
  readonly childCount: number;
  readonly attrs: { source?: string };
  readonly isTextblock: boolean;
  readonly firstChild: EditorNode | null;
  child(index: number): EditorNode;
}
type EditorElement = HTMLElement & { pmViewDesc?: { node?: EditorNode } };

interface Block {
  readonly source: string;
  readonly hasText: boolean;
}

/** Returns the blocks of the note that is open, or none while there is no editor. */
async function blocksOf(page: Page): Promise<Block[]> {
  return page.evaluate(() => {
    const root = document.querySelector<EditorElement>('.ProseMirror[contenteditable=true]')?.pmViewDesc?.node;
    return Array.from({ length: root?.childCount ?? 0 }, (_, index) => {
      const block = root!.child(index);
      let node: EditorNode | null = block;
      while (node && !node.isTextblock) node = node.firstChild;
      return { source: block.attrs.source ?? '', hasText: node !== null };
    });
  });
}

/** Puts the caret before the first character of a block, as a click there does. */
async function putCaret(page: Page, index: number): Promise<void> {
  await page.locator('.ProseMirror[contenteditable=true]').waitFor();
  await page.evaluate((wanted): Promise<void> => {
    const root = document.querySelector<EditorElement>('.ProseMirror[contenteditable=true]')!;
    const blocks = ([...root.children] as EditorElement[]).filter((one) => one.pmViewDesc?.node);
    const elements = [blocks[wanted]!, ...blocks[wanted]!.querySelectorAll<EditorElement>('*')];
    const line = elements.find((one) => one.pmViewDesc?.node?.isTextblock)!;
    const content = (line.pmViewDesc as { contentDOM?: HTMLElement }).contentDOM ?? line;
    root.focus();
    document.getSelection()!.collapse(content, 0);
    // The editor learns of the selection with the next frames.
    return new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
  }, index);
}

const texts = [
  ...(await commonMarkExamples()),
  ...extendedForms,
  ...installedReadmes()
    .filter((text) => text.length < 30_000)
    .filter((_, index) => index % 8 === 0)
    .slice(0, readmes),
]
  .map((text, number) => ({ text, number }))
  .filter(({ number }) => number % every === 0);
const groups = Array.from({ length: Math.ceil(texts.length / perTest) }, (_, index) =>
  texts.slice(index * perTest, (index + 1) * perTest),
);

/** CommonMark's examples, GitHub's extensions and READMEs, each opened in the page. */
describe('Markdown of others in a real browser', async () => {
  const { sheaf, browser } = await journey();
  const pages = await Promise.all(Array.from({ length: tabs }, () => browser.signedIn(sheaf)));
  for (const page of pages) {
    await page.goto(`${sheaf.url}/notes`);
    // The address may be changed as below only once the page listens to it.
    await page.getByPlaceholder('Search notes').waitFor();
  }
  const markdownOf = async (id: string): Promise<string> =>
    (await sheaf.client.note.export_note({ note_id: id, format: 'markdown' })).content;

  /** Returns whether the text has a block into which a letter can be typed. */
  async function typeInto(page: Page, text: string, number: number): Promise<boolean> {
    const { note_id: id } = await sheaf.client.note.import_doc({ content_format: 1, content: text });
    const stored = await markdownOf(id);
    expect(stored.trim(), `example ${number}`).toBe(text.trim());
    await page.evaluate((path) => history.pushState({}, '', path), `/notes/${id}`);
    let blocks: Block[] = [];
    await expect
      .poll(async () => (blocks = await blocksOf(page)).map(({ source }) => source).join(''), {
        message: `example ${number} is open`,
        timeout,
      })
      .toBe(stored);
    const typable = blocks.flatMap(({ hasText }, index) => (hasText ? [index] : []));
    if (typable.length === 0) return false;
    const touched = new SeededRandom(number + 1).oneOf(typable);
    // A letter that the text lacks: one that is typed into a link may turn `<address>` into `[text](address)`.
    const letter = [...'ZQJX'].find((one) => !text.includes(one)) ?? 'Z';
    await putCaret(page, touched);
    await page.keyboard.type(letter);
    let written = stored;
    await expect
      .poll(async () => (written = await markdownOf(id)), { message: `example ${number} is saved`, timeout })
      .not.toBe(stored);
    const before = blocks
      .slice(0, touched)
      .map(({ source }) => source)
      .join('');
    const after = blocks
      .slice(touched + 1)
      .map(({ source }) => source)
      .join('');
    const message = `example ${number}, block ${touched} of ${JSON.stringify(stored.slice(0, 500))}`;
    // White space next to the touched block may become a blank line.
    expect(written.slice(0, before.trimEnd().length), message).toBe(before.trimEnd());
    expect(written.slice(written.length - after.length), message).toBe(after);
    const middle = written.slice(before.trimEnd().length, written.length - after.length);
    expect(middle.split(letter).length, message).toBe(blocks[touched]!.source.split(letter).length + 1);
    return true;
  }

  test.each(groups.map((group) => [group[0]!.number, group.at(-1)!.number, group] as const))(
    'texts %i to %i: a letter typed changes its block only',
    { timeout: 900_000 },
    async (_from, _to, group) => {
      const left = [...group];
      let typed = 0;
      await Promise.all(
        pages.map(async (page) => {
          for (let next = left.shift(); next; next = left.shift())
            if (await typeInto(page, next.text, next.number)) typed += 1;
        }),
      );
      expect(typed).toBeGreaterThan(group.length / 2);
      // Addresses of images and the like lead nowhere here.
      browser.takeFaults();
    },
  );
});
