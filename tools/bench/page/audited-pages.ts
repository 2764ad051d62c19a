import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { Running } from '../measure/servers.ts';

/** A page of the web application to check or measure, and the dialogs and panels that can be opened on it. */
export interface AuditedPage {
  readonly name: string;
  readonly url: string;
  ready(page: Page): Promise<unknown>;
  readonly steps?: readonly DialogStep[];
  /** Restores browser state, such as cookies, that this page has changed and the pages checked after it need. */
  leave?(page: Page): Promise<void>;
}

interface DialogStep {
  readonly name: string;
  /** True if the dialog or panel cannot be opened in the phone layout. */
  readonly isDesktopOnly?: boolean;
  open(page: Page): Promise<unknown>;
  /** Closes the opened dialog or panel. By default, Escape and the panel's close button are used. */
  close?(page: Page): Promise<unknown>;
}

const dialogs = 'aside[data-part], dialog[open], [role=dialog]';
const popups = `${dialogs}, [data-radix-popper-content-wrapper]`;

/**
 * Returns a step that presses a button, then entries of the menu that opens. It waits for each element, because code
 * may still be loading.
 */
function press(scope: string, button: string, ...entries: string[]): DialogStep {
  return {
    name: (entries.at(-1) ?? button).toLowerCase(),
    async open(page) {
      await page.locator(scope).getByRole('button', { name: button, exact: true }).first().click();
      for (const name of entries) await page.getByRole('menuitem', { name, exact: true }).click();
      await page
        .locator(entries.length > 0 ? dialogs : popups)
        .first()
        .waitFor({ state: 'attached' });
      await page.waitForLoadState('networkidle');
    },
  };
}

const sees = (selector: string) => (page: Page) => page.locator(selector).first().waitFor();
const inDialog = (page: Page) => page.getByRole('dialog').waitFor();
const toolbar = '[role=toolbar]';

/** Returns a step that opens the toolbar's drop-down with this index. */
function dropDown(index: number): DialogStep {
  return {
    name: `drop-down ${index + 1} of the tool bar`,
    isDesktopOnly: true,
    async open(page) {
      await page.locator(toolbar).locator('button[aria-haspopup]').nth(index).click();
      await page.locator('[data-radix-popper-content-wrapper]').waitFor();
    },
  };
}

/**
 * Clicks a cell by coordinates, because an input element covers the canvas and Playwright refuses to click a covered
 * element.
 */
async function clickCell(page: Page, button: 'left' | 'right'): Promise<void> {
  const box = (await page.locator('canvas').first().boundingBox())!;
  await page.mouse.click(box.x + 120, box.y + 60, { button });
}

function spreadsheetSteps(fileId: string): DialogStep[] {
  const reportKey = `sheaf.import-report.${fileId}`;
  const inData = ['Conditional formats', 'Data validation', 'Named ranges'];
  const tools = ['Insert chart', 'Link', 'Sort…', 'Pivot table', 'Protected ranges', 'Comments', 'Find and replace'];
  return [
    {
      name: 'a note of what a file lost',
      async open(page) {
        await page.evaluate(`localStorage.setItem('${reportKey}', JSON.stringify(['2 macros were left out']))`);
        await page.reload();
        await page.getByText('2 macros were left out').waitFor();
      },
      async close(page) {
        await page.evaluate(`localStorage.removeItem('${reportKey}')`);
        await page.reload();
        await page.locator(toolbar).getByRole('button', { name: 'History', exact: true }).waitFor();
      },
    },
    ...Array.from({ length: 10 }, (_, index) => dropDown(index)),
    ...[...tools, 'History'].map((name) => press(toolbar, name)),
    ...inData.map((name) => press(toolbar, 'Data', name)),
    ...['Share…', 'Rename…', 'Print…'].map((name) => press('body', 'Actions for Budget', name)),
    {
      name: 'the menu of cells',
      open: (page) => clickCell(page, 'right').then(() => page.getByRole('menu').waitFor()),
    },
    {
      name: 'the list of keys',
      async open(page) {
        await clickCell(page, 'left');
        await page.keyboard.press('Control+/');
        await inDialog(page);
      },
    },
    {
      name: 'as it is printed',
      async open(page) {
        await page.evaluate('window.print = () => document.body.setAttribute("data-printed", "")');
        await press('body', 'Actions for Budget', 'Print…').open(page);
        await page.getByRole('dialog').getByRole('button', { name: 'Print', exact: true }).click();
        await page.locator('body[data-printed]').waitFor();
        await page.emulateMedia({ media: 'print' });
      },
      close: (page) => page.emulateMedia({ media: 'screen' }),
    },
  ];
}

/** Returns the sign-in page. The session cookies are removed while this page is open. */
function signInForm(url: string): AuditedPage {
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

/** Registers an OAuth client and returns its authorization URL. */
async function consentAddress(url: string): Promise<string> {
  const redirect_uri = 'http://127.0.0.1:9/callback';
  const answer = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'An agent', redirect_uris: [redirect_uri] }),
  });
  const { client_id } = (await answer.json()) as { client_id: string };
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    state: 'bench',
    code_challenge: createHash('sha256').update('bench'.repeat(10)).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${url}/mcp`,
  });
  return `${url}/oauth/authorize?${query}`;
}

async function openComments(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Comments', exact: true }).click();
  await page.getByRole('complementary', { name: 'Comments' }).getByText('Which ones?').waitFor();
}

async function openSuggestions(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  await page.getByRole('list', { name: 'Suggestions' }).waitFor();
}

/** Creates content of every kind on the server and returns the pages to check. */
export async function createAuditedPages({ client, url }: Running): Promise<AuditedPage[]> {
  const { knowledge_base_id } = await client.wiki.create_knowledge_base({ name: 'Handbook' });
  const upload = async (file_name: string, text: string): Promise<string> => {
    const content = Buffer.from(text).toString('base64');
    const { media_id } = await client.wiki.upload_knowledge({ knowledge_base_id, file_name, content });
    await client.wiki.get_knowledge_state({ media_ids: [media_id], wait_seconds: 20 });
    return `${url}/wiki/${knowledge_base_id}/item/${media_id}`;
  };
  const guide = await upload(
    'guide.md',
    '# Guide\n\nThe welcome desk opens at nine.\n\n- keys\n- badges\n\n`code` and [a link](https://example.com)',
  );
  const workbook = await upload('prices.csv', `fruit,price\n${'pear,3\n'.repeat(2500)}`);
  await client.wiki.create_folder({ knowledge_base_id, name: 'Older' });
  const { note_id } = await client.note.import_doc({
    content:
      '# Welcome\n\nA note with **words**, a [link](https://example.com) and `code`.\n\n- [ ] open\n- [x] done\n\n' +
      '| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst a = 1; // one\n```\n',
    content_format: 1,
  });
  const reviewed = await client.note.import_doc({ content: '# Reviewed\n\nFew words.\n\n- pears', content_format: 1 });
  await client.note.comment_note({ note_id: reviewed.note_id, quote: 'words', text: 'Which ones?' });
  const edits = [
    { old: 'Few', new: 'Many' },
    { new: 'An **appendix**.', at_end: true },
  ];
  await client.note.edit_note({ note_id: reviewed.note_id, edits, suggest: true });
  const { file_id, sheet_id } = await client.manage.create_file({ title: 'Budget' });
  const csv_data = 'month,planned,spent\nJan,120,98\nFeb,130,141\nMar,125,119\n';
  await client.sheet.set_range_value_by_csv({ file_id, sheet_id, csv_data });
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
  const { sign_in_path } = await client.account.create_sign_in_link({});

  const palette: DialogStep = {
    name: 'the palette',
    open: (page) => page.keyboard.press('Control+k').then(() => inDialog(page)),
  };
  const editing: DialogStep = {
    name: 'being edited',
    async open(page) {
      await page.locator('.prose').first().click();
      await page.locator('.ProseMirror').waitFor();
    },
  };
  const heading = sees('main h1');
  const accountDialogs: Record<string, string> = {
    keys: 'New key',
    webhooks: 'New webhook',
    users: 'Add a user',
    groups: 'New group',
  };
  return [
    { name: 'home', url: `${url}/`, ready: heading, steps: [palette] },
    { name: 'bases', url: `${url}/wiki`, ready: heading, steps: [press('body', 'New knowledge base')] },
    {
      name: 'base',
      url: `${url}/wiki/${knowledge_base_id}`,
      ready: heading,
      steps: [
        press('body', 'Share'),
        press('main', 'Add'),
        ...['Add web pages', 'New folder'].map((item) => press('main', 'Add', item)),
        ...['Name and description', 'Trash', 'Delete'].map((item) => press('main', 'Actions for Handbook', item)),
      ],
    },
    { name: 'reader', url: guide, ready: sees('main .prose, main article') },
    { name: 'workbook of a base', url: workbook, ready: sees('[data-grid-field]') },
    { name: 'search', url: `${url}/search?q=welcome`, ready: sees('main mark, main em') },
    {
      name: 'notes',
      url: `${url}/notes`,
      ready: sees('main a[href^="/notes/"]'),
      steps: ['New notebook', 'Open tasks'].map((name) => ({ ...press('body', name), isDesktopOnly: true })),
    },
    {
      name: 'note',
      url: `${url}/notes/${note_id}`,
      ready: sees('.prose'),
      steps: [
        editing,
        press('main', 'Actions for Welcome'),
        ...['History', 'Share', 'Move to…', 'Set a title', 'Add to a knowledge base'].map((item) =>
          press('main', 'Actions for Welcome', item),
        ),
      ],
    },
    {
      name: 'reviewed note',
      url: `${url}/notes/${reviewed.note_id}`,
      ready: sees('.prose'),
      steps: [
        { ...editing, name: 'suggestions in the text' },
        { name: 'suggestions', open: openSuggestions },
        { name: 'comments', open: openComments },
      ],
    },
    { name: 'inbox', url: `${url}/inbox`, ready: heading },
    { name: 'shared', url: `${url}/shared`, ready: heading },
    { name: 'sheets', url: `${url}/sheet`, ready: heading },
    {
      name: 'spreadsheet',
      url: `${url}/sheet/${file_id}`,
      async ready(page) {
        await page.locator('[data-cell="A1"]').waitFor({ state: 'attached' });
        await page.locator(toolbar).getByRole('button').last().waitFor();
      },
      steps: spreadsheetSteps(file_id),
    },
    ...['profile', 'connect', 'apps', 'keys', 'webhooks', 'audit', 'users', 'groups'].map((section): AuditedPage => ({
      name: `account, ${section}`,
      url: `${url}/account/${section}`,
      ready: (page) => heading(page).then(() => page.waitForLoadState('networkidle')),
      steps: accountDialogs[section] === undefined ? [] : [press('body', accountDialogs[section])],
    })),
    { name: 'consent', url: await consentAddress(url), ready: sees('form') },
    { name: 'public link', url: new URL(publicLink, url).href, ready: sees('canvas') },
    { name: 'sign-in link', url: url + sign_in_path, ready: sees('form') },
    signInForm(url),
    { name: 'nothing there', url: `${url}/nowhere/at/all`, ready: heading },
    { name: 'docs', url: `${url}/docs`, ready: sees('h1') },
  ];
}
