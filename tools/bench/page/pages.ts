import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { Running } from './server.ts';

/** A page of the product, and the dialogs and panels that can be opened on it. */
export interface BenchPage {
  readonly name: string;
  readonly url: string;
  ready(page: Page): Promise<void>;
  readonly steps?: readonly Step[];
  /** Restores the state that other pages need. */
  leave?(page: Page): Promise<void>;
}

export interface Step {
  readonly name: string;
  /** The only device that has this step; both by default. */
  readonly only?: 'desktop' | 'phone';
  open(page: Page): Promise<void>;
  /** Closes it; by default with Escape. */
  close?(page: Page): Promise<void>;
}

const sees =
  (selector: string) =>
  (page: Page): Promise<void> =>
    page.locator(selector).first().waitFor();

const dropDowns = 10;

const accountDialogs: Readonly<Record<string, readonly string[]>> = {
  keys: ['New key'],
  webhooks: ['New webhook'],
  users: ['Add a user'],
};

/** The page without a session. */
function guest(url: string): BenchPage {
  let kept: Awaited<ReturnType<ReturnType<Page['context']>['cookies']>> = [];
  return {
    name: 'sign-in form',
    url: `${url}/notes`,
    async ready(page) {
      kept = await page.context().cookies();
      await page.context().clearCookies();
      await page.reload();
      await page.locator('form').first().waitFor();
    },
    leave: (page) => page.context().addCookies(kept),
  };
}

/** Opens a dialog through a menu: the button's name, then the entry's. */
const fromMenu = (button: string, item: string): Step => ({
  name: item.toLowerCase(),
  async open(page) {
    await page.getByRole('main').getByRole('button', { name: button, exact: true }).first().click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
    await page.getByRole('dialog').waitFor();
  },
});
const menu = (button: string): Step => ({
  name: `the menu ${button}`,
  async open(page) {
    await page.getByRole('main').getByRole('button', { name: button, exact: true }).first().click();
    await page.getByRole('menu').waitFor();
  },
});
/** Opens a drop-down of the toolbar by its index. */
const dropDown = (index: number): Step => ({
  name: `drop-down ${index + 1} of the tool bar`,
  only: 'desktop',
  async open(page) {
    await page.getByRole('toolbar').locator('button[aria-haspopup]').nth(index).click();
    await page.locator('[data-radix-popper-content-wrapper]').waitFor();
  },
});

/** Creates one item of each kind with some content. */
export async function createPages({ client, url, signInLink }: Running): Promise<BenchPage[]> {
  const { knowledge_base_id: base } = await client.wiki.create_knowledge_base({ name: 'Handbook' });
  const upload = async (name: string, text: string): Promise<string> => {
    const { media_id: id } = await client.wiki.upload_knowledge({
      knowledge_base_id: base,
      file_name: name,
      content: Buffer.from(text).toString('base64'),
    });
    await client.wiki.get_knowledge_state({ media_ids: [id], wait_seconds: 20 });
    return id;
  };
  const guide = await upload(
    'guide.md',
    '# Guide\n\nThe welcome desk opens at nine.\n\n- keys\n- badges\n\n`code` and [a link](https://example.com)',
  );
  const workbook = await upload('prices.csv', `fruit,price\n${'pear,3\n'.repeat(2500)}`);
  await client.wiki.create_folder({ knowledge_base_id: base, name: 'Older' });
  const { note_id: note } = await client.note.import_doc({
    content:
      '# Welcome\n\nA note with **words**, a [link](https://example.com) and `code`.\n\n- [ ] open\n- [x] done\n\n' +
      '| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst a = 1; // one\n```\n',
    content_format: 1,
  });
  const { file_id, sheet_id } = await client.manage.create_file({ title: 'Budget' });
  await client.sheet.set_range_value_by_csv({
    file_id,
    sheet_id,
    csv_data: 'month,planned,spent\nJan,120,98\nFeb,130,141\nMar,125,119\n',
  });
  await client.sheet.add_chart({
    file_id,
    sheet_id,
    chart_type: 'CHART_CLUSTERED_COLUMN',
    data_range: { start_row: 0, start_col: 0, end_row: 3, end_col: 2 },
    drawing_id: 'c1',
    title: 'Spent',
    location: { row_index: 6, col_index: 0, width: 360, height: 240 },
  });
  await client.sheet.set_conditional_format({ file_id, sheet_id, ranges: ['C2:C4'], kind: 'bar', colors: ['1F6FEB'] });
  const publicLink = (await client.manage.create_public_link({ file_id })).url;

  const inDataMenu = ['Conditional formats', 'Data validation', 'Named ranges'];
  const tool = (name: string): Step => ({
    name: name.toLowerCase(),
    async open(page) {
      const tools = page.getByRole('toolbar');
      if (inDataMenu.includes(name)) {
        await tools.getByRole('button', { name: 'Data', exact: true }).click();
        await page.getByRole('menuitem', { name, exact: true }).click();
      } else await tools.getByRole('button', { name, exact: true }).click();
      // Waits for a dialog, a side panel or a popover, whose code may still be loading.
      await page
        .locator('aside[data-part], dialog[open], [role=dialog], [data-radix-popper-content-wrapper]')
        .first()
        .waitFor({ state: 'attached' });
      await page.waitForLoadState('networkidle');
    },
    async close(page) {
      await page.keyboard.press('Escape');
      const close = page.getByRole('button', { name: 'Close', exact: true }).first();
      if (await close.isVisible()) await close.click();
    },
  });
  const entry = (name: string): Step => ({
    name: name.toLowerCase(),
    async open(page) {
      await page.getByRole('button', { name: 'Actions for Budget' }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
      await page.getByRole('dialog').last().waitFor();
    },
  });
  const main = sees('main h1');
  const opened: Step[] = [
    {
      name: 'a note of what a file lost',
      async open(page) {
        await page.evaluate(
          `localStorage.setItem('sheaf.import-report.${file_id}', JSON.stringify(['2 macros were left out']))`,
        );
        await page.reload();
        await page.getByText('2 macros were left out').waitFor();
      },
      async close(page) {
        await page.evaluate(`localStorage.removeItem('sheaf.import-report.${file_id}')`);
        await page.reload();
        await page.getByRole('toolbar').getByRole('button', { name: 'History', exact: true }).waitFor();
      },
    },
    ...Array.from({ length: dropDowns }, (_, index) => dropDown(index)),
    ...['Insert chart', 'Link', 'Sort…', 'Conditional formats', 'Data validation', 'Pivot table'].map(tool),
    ...['Protected ranges', 'Named ranges', 'Comments', 'Find and replace', 'History'].map(tool),
    ...['Share…', 'Rename…', 'Print…'].map(entry),
    {
      name: 'the menu of cells',
      async open(page) {
        await clickCell(page, 'right');
        await page.getByRole('menu').waitFor();
      },
    },
    {
      name: 'the list of keys',
      async open(page) {
        await clickCell(page, 'left');
        await page.keyboard.press('Control+/');
        await page.getByRole('dialog').waitFor();
      },
    },
    {
      name: 'as it is printed',
      async open(page) {
        await page.evaluate('window.print = () => document.body.setAttribute("data-printed", "")');
        await page.getByRole('button', { name: 'Actions for Budget' }).click();
        await page.getByRole('menuitem', { name: 'Print…' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Print', exact: true }).click();
        await page.locator('body[data-printed]').waitFor();
        await page.emulateMedia({ media: 'print' });
      },
      close: (page) => page.emulateMedia({ media: 'screen' }),
    },
  ];
  const palette: Step = {
    name: 'the palette',
    async open(page) {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
    },
  };
  const dialog = (name: string): Step => ({
    name: name.toLowerCase(),
    async open(page) {
      await page.getByRole('button', { name, exact: true }).first().click();
      await page.getByRole('dialog').waitFor();
    },
  });
  const editing: Step = {
    name: 'being edited',
    async open(page) {
      await page.locator('.prose').first().click();
      await page.locator('.ProseMirror').waitFor();
    },
  };
  const authorize = await consentAddress(url);
  return [
    { name: 'home', url: `${url}/`, ready: main, steps: [palette] },
    { name: 'bases', url: `${url}/wiki`, ready: main, steps: [dialog('New knowledge base')] },
    {
      name: 'base',
      url: `${url}/wiki/${base}`,
      ready: main,
      steps: [
        dialog('Share'),
        menu('Add'),
        ...['Add web pages', 'New folder'].map((item) => fromMenu('Add', item)),
        ...['Name and description', 'Trash', 'Delete'].map((item) => fromMenu('Actions for Handbook', item)),
      ],
    },
    { name: 'reader', url: `${url}/wiki/${base}/item/${guide}`, ready: sees('main .prose, main article') },
    {
      name: 'workbook of a base',
      url: `${url}/wiki/${base}/item/${workbook}`,
      ready: sees('[data-grid-field]'),
    },
    { name: 'search', url: `${url}/search?q=welcome`, ready: sees('main mark, main em') },
    {
      name: 'notes',
      url: `${url}/notes`,
      ready: sees('main a[href^="/notes/"]'),
      steps: [{ ...dialog('New notebook'), only: 'desktop' }],
    },
    {
      name: 'note',
      url: `${url}/notes/${note}`,
      ready: sees('.prose'),
      steps: [
        editing,
        menu('Actions for Welcome'),
        ...['History', 'Move to…', 'Set a title', 'Add to a knowledge base'].map((item) =>
          fromMenu('Actions for Welcome', item),
        ),
      ],
    },
    { name: 'sheets', url: `${url}/sheet`, ready: main },
    {
      name: 'spreadsheet',
      url: `${url}/sheet/${file_id}`,
      ready: async (page) => {
        await page.locator('[data-cell="A1"]').waitFor({ state: 'attached' });
        await page.getByRole('toolbar').getByRole('button').last().waitFor();
      },
      steps: opened,
    },
    ...['profile', 'connect', 'apps', 'keys', 'webhooks', 'audit', 'users'].map((section) => ({
      name: `account, ${section}`,
      url: `${url}/account/${section}`,
      ready: async (page: Page) => {
        await main(page);
        await page.waitForLoadState('networkidle');
      },
      steps: accountDialogs[section]?.map(dialog) ?? [],
    })),
    { name: 'consent', url: authorize, ready: sees('form') },
    { name: 'public link', url: new URL(publicLink, url).href, ready: sees('canvas') },
    { name: 'sign-in link', url: await signInLink(), ready: sees('form') },
    guest(url),
    { name: 'nothing there', url: `${url}/nowhere/at/all`, ready: sees('main h1') },
    { name: 'docs', url: `${url}/docs`, ready: sees('h1') },
  ];
}

/** Clicks by coordinates, because the input element that receives keys covers the canvas. */
async function clickCell(page: Page, button: 'left' | 'right'): Promise<void> {
  const box = (await page.locator('canvas').first().boundingBox())!;
  await page.mouse.click(box.x + 120, box.y + 60, { button });
}

/** Registers an OAuth client and returns its authorization URL. */
async function consentAddress(url: string): Promise<string> {
  const redirect = 'http://127.0.0.1:9/callback';
  const answer = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'An agent', redirect_uris: [redirect] }),
  });
  const { client_id } = (await answer.json()) as { client_id: string };
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: redirect,
    state: 'bench',
    code_challenge: createHash('sha256').update('bench'.repeat(10)).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${url}/mcp`,
  });
  return `${url}/oauth/authorize?${query}`;
}
