// node tools/screenshot.mjs [output file]: creates the README's screenshot from the running page.
// Starts a server with a spreadsheet that a person and an agent edit.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { requireChromium } from './chromium.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';
import { root } from './root-folder.mjs';

const target = process.argv[2] ?? join(root, 'docs', 'picture.png');

ensureInstalled(root, { withTests: true });
await ensureBuilt();
const { createClient } = await import(pathToFileURL(join(root, 'dist', 'client.js')).href);
const { chromium } = await import('playwright-core');

const executablePath = requireChromium();
const folder = mkdtempSync(join(tmpdir(), 'sheaf-picture-'));
const server = spawn(process.execPath, [join(root, 'tools', 'sheaf.mjs'), 'serve'], {
  env: {
    ...process.env,
    SHEAF_DATA: folder,
    SHEAF_HOST: '127.0.0.1',
    SHEAF_PORT: '0',
    SHEAF_RATE_LIMIT: '0',
    SHEAF_LOG_LEVEL: 'error',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const url = await new Promise((resolve, reject) => {
    let text = '';
    server.stdout.on('data', (chunk) => {
      text += chunk;
      const found = /ready at (\S+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
    server.on('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  await take(url);
} finally {
  server.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

async function take(url) {
  const { client_id: clientId, api_key: apiKey } = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8'));
  const person = createClient({ url, clientId, apiKey });
  const { key, api_key: agentKey } = await person.account.create_key({ name: 'Research agent' });
  const agent = createClient({ url, clientId: key.client_id, apiKey: agentKey });
  const browser = await chromium.launch({
    executablePath,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--force-color-profile=srgb'],
  });
  try {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 860 },
      deviceScaleFactor: 2,
      locale: 'en-GB',
      colorScheme: 'light',
    });
    const page = await context.newPage();
    const { sign_in_path: path } = await person.account.create_sign_in_link({});
    await page.goto(url + path);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Main' }).first().waitFor();
    const sheet = await fill(createClient({ url, fetch: signedIn(context, url) }));
    await page.goto(`${url}/sheet/${sheet.file_id}`);
    await page.locator('[data-object-frame] canvas').nth(1).waitFor();
    await page.getByRole('toolbar').getByRole('button', { name: 'History', exact: true }).click();
    await page.getByRole('complementary', { name: 'History' }).getByRole('listitem').first().waitFor();
    await page.waitForTimeout(1500);
    // Wait for the agent's edit, which is displayed with the agent's name beside the cell.
    await agent.sheet.set_range_value_by_csv({ ...sheet, start_row: 8, csv_data: 'Aug,1520,1604,=C9/B9-1' });
    await page.locator('[data-cell="A9"]').waitFor({ state: 'attached' });
    await page.waitForTimeout(700);
    await page.screenshot({ path: target });
    process.stdout.write(`${target}\n`);
  } finally {
    await browser.close();
  }
}

/** Returns a replacement of `fetch` that sends requests with the session cookie of the browser page. */
function signedIn(context, url) {
  return async (address, { method, headers, body }) => {
    const answer = await context.request.fetch(address, { method, headers: { ...headers, origin: url }, data: body });
    return new Response(await answer.body(), { status: answer.status(), headers: answer.headers() });
  };
}

async function fill(client) {
  const { file_id, sheet_id } = await client.manage.create_file({ title: 'Harvest 2026' });
  const sheet = { file_id, sheet_id };
  const region = (start_row, start_col, end_row, end_col) => ({ start_row, start_col, end_row, end_col });
  await client.sheet.rename_sheet({ ...sheet, name: 'Plan and yield' });
  await client.sheet.set_range_value_by_csv({
    ...sheet,
    csv_data:
      'Month,Planned (t),Harvested (t),Difference\nJan,820,790,=C2/B2-1\nFeb,860,905,=C3/B3-1\n' +
      'Mar,940,1010,=C4/B4-1\nApr,1100,1075,=C5/B5-1\nMay,1250,1330,=C6/B6-1\nJun,1400,1462,=C7/B7-1\n' +
      'Jul,1480,1391,=C8/B8-1\n',
  });
  await client.sheet.set_range_value_by_csv({
    ...sheet,
    start_row: 11,
    csv_data: 'Field,Crop,Share\nMill,Barley,0.34\nBrook,Rye,0.27\nHill,Wheat,0.22\nEast,Oats,0.17\n',
  });
  const heading = { bold: true, bg_color: 'FFE2EFE7', font_color: 'FF1F4A38' };
  await client.sheet.set_cell_style({ ...sheet, ...region(0, 0, 0, 3), format: heading });
  await client.sheet.set_cell_style({ ...sheet, ...region(11, 0, 11, 2), format: heading });
  await client.sheet.set_cell_style({ ...sheet, ...region(1, 1, 10, 2), format: { number_format_pattern: '#,##0' } });
  await client.sheet.set_cell_style({
    ...sheet,
    ...region(1, 3, 10, 3),
    format: { number_format_pattern: '+0.0%;[Red]-0.0%' },
  });
  await client.sheet.set_cell_style({ ...sheet, ...region(12, 2, 15, 2), format: { number_format_pattern: '0%' } });
  await client.sheet.set_dimension_size({
    ...sheet,
    dimensions: [
      { dimension_type: 'col', index: 1, size: 110 },
      { dimension_type: 'col', index: 2, size: 120 },
    ],
  });
  await client.sheet.set_freeze({ ...sheet, row_count: 1, col_count: 0 });
  await client.sheet.set_filter({ ...sheet, ...region(11, 0, 15, 2) });
  await client.sheet.add_chart({
    ...sheet,
    chart_type: 'CHART_CUSTOM_COMBO',
    data_range: region(0, 0, 8, 2),
    drawing_id: 'yield',
    title: 'Planned and harvested',
    location: { row_index: 1, col_index: 4, horizontal_offset: 24, width: 400, height: 262 },
  });
  await client.sheet.update_chart({
    ...sheet,
    drawing_id: 'yield',
    options_json: JSON.stringify({ series: [{ color: 'CFE0D6' }, { color: '2A6049', smooth: true }] }),
  });
  await client.sheet.add_chart({
    ...sheet,
    chart_type: 'CHART_PIE',
    data_range: region(11, 1, 15, 2),
    drawing_id: 'crops',
    title: 'Share of crops',
    location: { row_index: 12, col_index: 4, horizontal_offset: 24, width: 400, height: 262 },
  });
  return sheet;
}
