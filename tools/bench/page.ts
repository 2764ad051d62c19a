import { fileURLToPath } from 'node:url';
import * as axe from './page/axe.ts';
import { openBrowser } from './page/browser.ts';
import * as lighthouse from './page/lighthouse.ts';
import * as million from './page/million-rows.ts';
import { createPages } from './page/pages.ts';
import { startSheaf } from './page/server.ts';
import * as sizes from './page/script-sizes.ts';
import { report } from './measure/report.ts';

/**
 * Measures the page of the built product in a real browser: axe on every page, Lighthouse on the main ones, the script size
 * of the first load and of a spreadsheet, and scrolling a sheet of a million rows. The goals are the project's own; there
 * is no peer. Times are worse on a busy machine.
 *
 *   npm run bench -- page [sizes | axe | lighthouse | million]...
 *   npm run bench -- page lighthouse note spreadsheet      only these pages
 *   npm run bench -- page axe phone dark base              only these modes and pages; Chinese is a mode too
 */
export async function run(args: readonly string[] = []): Promise<void> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const parts = ['sizes', 'axe', 'million', 'lighthouse'];
  const wanted = (name: string): boolean => !args.some((arg) => parts.includes(arg)) || args.includes(name);
  const sheaf = await startSheaf();
  const browser = await openBrowser();
  try {
    const first = browser.context.pages()[0] ?? (await browser.context.newPage());
    await first.goto(await sheaf.signInLink());
    await first.locator('form[action="/sign-in"] button').click();
    await first.waitForURL(`${sheaf.url}/`);
    await first.locator('main').first().waitFor();
    const { file_id, sheet_id } = await sheaf.client.manage.create_file({ title: 'Budget' });
    await sheaf.client.sheet.set_range_value_by_csv({
      file_id,
      sheet_id,
      csv_data: 'month,planned,spent\nJan,120,98\nFeb,130,141\nMar,125,119\n',
    });
    const { knowledge_base_id: base } = await sheaf.client.wiki.create_knowledge_base({ name: 'Handbook' });
    const { note_id: note } = await sheaf.client.note.import_doc({
      content: '# Welcome\n\nA note of a few words.',
      content_format: 1,
    });
    const sheet = `${sheaf.url}/sheet/${file_id}`;
    if (wanted('sizes')) {
      const at = (name: string, path: string, ready = 'main h1'): sizes.Address => ({
        name,
        url: sheaf.url + path,
        ready,
      });
      const pages = [
        at('home', '/'),
        at('bases', '/wiki'),
        at('base', `/wiki/${base}`),
        at('notes', '/notes', 'main h2'),
        at('note', `/notes/${note}`, '.prose'),
        at('sheets', '/sheet'),
        at('search', '/search?q=welcome', 'main input'),
        at('account', '/account/keys'),
      ];
      for (const language of ['en', 'zh'] as const) {
        await first.evaluate(`localStorage.setItem('sheaf.language', '${language}')`);
        report(
          `page, sizes of scripts with gzip: ${language}`,
          await sizes.measure(browser.context, root, pages, at('spreadsheet', `/sheet/${file_id}`, 'canvas')),
        );
      }
      await first.evaluate("localStorage.removeItem('sheaf.language')");
    }
    if (wanted('axe')) {
      const words = args.filter((arg) => !parts.includes(arg));
      report('page, axe', await axe.measure(browser.context, root, await createPages(sheaf), words));
    }
    if (wanted('million'))
      report('page, a large spreadsheet (software rendering)', await million.measure(browser.context, sheaf));
    if (wanted('lighthouse')) {
      const pages = [
        { name: 'home', url: `${sheaf.url}/` },
        { name: 'base', url: `${sheaf.url}/wiki/${base}` },
        { name: 'note', url: `${sheaf.url}/notes/${note}` },
        { name: 'sheets', url: `${sheaf.url}/sheet` },
        { name: 'spreadsheet', url: sheet },
      ];
      const some = pages.filter((one) => args.includes(one.name));
      for (const one of some.length > 0 ? some : pages)
        report(`page, Lighthouse: ${one.name}`, await lighthouse.measure(root, browser.port, one));
    }
  } finally {
    await browser.close();
    await sheaf.stop();
  }
}
