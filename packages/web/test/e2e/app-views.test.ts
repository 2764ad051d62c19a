import { describe, expect, test } from 'vitest';
import type { Frame, Page } from 'playwright-core';
import { appBridgeScript, axeScript } from '@sheaf/tools/testing/outside-browser-code.ts';
import { journey } from './journey.ts';

/**
 * A host of MCP Apps with the official bridge: it shows a view in a sandbox without an origin, under the policy that the
 * specification prescribes for views that name no hosts, and passes on calls of the tools that the server lists.
 */
const host = (bridge: string): string => `<!doctype html><title>Host</title><body><script>${bridge}</script><script>
  window.show = async (html, input, result, theme) => {
    const frame = document.createElement('iframe');
    frame.sandbox = 'allow-scripts';
    frame.style = 'width:800px;height:600px';
    document.body.append(frame);
    const capabilities = { serverTools: {}, openLinks: {}, updateModelContext: { text: {} } };
    const hostContext = { theme };
    const bridge = new apps.AppBridge(null, { name: 'test', version: '1' }, capabilities, { hostContext });
    window.heard = [];
    const hears = (method) => async (params) => {
      window.heard.push({ method, params });
      return {};
    };
    bridge.onopenlink = hears('ui/open-link');
    bridge.onupdatemodelcontext = hears('ui/update-model-context');
    bridge.oncalltool = ({ name, arguments: given }) => window.callTool(name, given);
    const ready = new Promise((resolve) => (bridge.oninitialized = resolve));
    await bridge.connect(new apps.PostMessageTransport(frame.contentWindow, frame.contentWindow));
    const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'none'";
    frame.srcdoc = html.replace('<head>', '<head><meta http-equiv="content-security-policy" content="' + policy + '">');
    await ready;
    await bridge.sendToolInput({ arguments: input });
    await bridge.sendToolResult(result);
  };
</script></body>`;

describe('[T94] views of MCP Apps in a host with the official bridge', async () => {
  const { sheaf, browser } = await journey();
  const page = host(await appBridgeScript());
  const axe = axeScript();

  const rpc = async (method: string, params: object): Promise<any> => {
    const response = await fetch(`${sheaf.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${sheaf.credentials.api_key}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return ((await response.json()) as any).result;
  };
  const call = (name: string, args: object): Promise<any> => rpc('tools/call', { name, arguments: args });

  const expectAccessible = async (view: Frame): Promise<void> => {
    await view.evaluate(axe);
    const { violations, passes } = await view.evaluate(() => (window as any).axe.run());
    expect(
      violations.map((one: any) => `${one.id}: ${one.nodes.map((node: any) => node.html).join(' ')}`.slice(0, 300)),
    ).toEqual([]);
    expect(passes.length).toBeGreaterThan(5);
  };

  /** Calls a tool and shows its result in its view. */
  const shown = async (name: string, input: object, theme = 'light'): Promise<{ page: Page; view: Frame }> => {
    const { tools } = await (async () => {
      const response = await fetch(`${sheaf.url}/mcp?tools=all`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${sheaf.credentials.api_key}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
      });
      return ((await response.json()) as any).result;
    })();
    const uri = tools.find((tool: any) => tool.name === name)._meta.ui.resourceUri;
    const [{ text: html }] = (await rpc('resources/read', { uri })).contents;
    expect(Buffer.byteLength(html)).toBeLessThan(150_000);
    const shows = await browser.open();
    const listed = new Set(tools.map((tool: any) => tool.name));
    await shows.exposeFunction('callTool', (asked: string, given: object) => {
      if (!listed.has(asked)) throw new Error(`the host lists no tool ${asked}`);
      return call(asked, given);
    });
    await shows.setContent(page);
    const result = await call(name, input);
    await shows.evaluate(([text, given, data, look]) => (window as any).show(text, given, data, look), [
      html,
      input,
      result,
      theme,
    ] as const);
    const view = shows.frames().find((frame) => frame !== shows.mainFrame())!;
    return { page: shows, view };
  };
  const structured = async (name: string, args: object): Promise<any> => (await call(name, args)).structuredContent;

  test('cells: the grid shows text as text and pages by calling its tool', async () => {
    const { file_id: file } = await structured('manage_create_file', { title: 'Grid' });
    const rows = Array.from({ length: 300 }, (_, row) => [`<b>${row + 1}</b>`, row + 1]);
    await call('sheet_write', { file_id: file, range: 'A1', rows });
    const { view } = await shown('sheet_read', { file_id: file, max_tokens: 500 });
    await view.getByRole('columnheader', { name: 'B', exact: true }).waitFor();
    await view.getByText('<b>1</b>', { exact: true }).waitFor();
    const before = await view.getByRole('row').count();
    await view.getByRole('button', { name: 'More rows' }).click();
    await expect.poll(() => view.getByRole('row').count()).toBeGreaterThan(before);
    await expectAccessible(view);
    browser.expectClean();
  });

  test('passages: each with its source, which opens through the host', async () => {
    const { knowledge_base_id: base } = await structured('wiki_create_knowledge_base', { name: 'Views' });
    const { media_id: id } = await structured('wiki_upload_knowledge', {
      knowledge_base_id: base,
      file_name: 'policy.md',
      text: '# Refunds\n\nOpened goods <img src=x> are refunded within 30 days.',
    });
    await call('wiki_get_knowledge_state', { media_ids: [id], wait_seconds: 20 });
    const { page, view } = await shown('wiki_search_passages', { query: 'refunded goods' });
    await view.getByRole('button', { name: 'policy.md' }).click();
    const heard = await page.evaluate(() => (window as any).heard);
    const opened = heard.find((one: any) => one.method === 'ui/open-link');
    expect(opened.params.url).toContain(`/wiki/${base}/item/${id}`);
    expect(await view.locator('img').count()).toBe(0);
    expect(await view.locator('mark').count()).toBeGreaterThan(0);
    await expectAccessible(view);
    const dark = await shown('wiki_search_passages', { query: 'refunded goods' }, 'dark');
    await dark.view.getByRole('button', { name: 'policy.md' }).waitFor();
    await expectAccessible(dark.view);
    browser.expectClean();
  });

  test('a change: it is shown line by line, and taken back', async () => {
    const { note_id: note } = await structured('note_import_doc', { content_format: 1, content: '# Plan\n\nMay' });
    await call('note_edit_note', { note_id: note, edits: [{ old: 'May', new: 'June' }] });
    const { page, view } = await shown('note_diff_note', { note_id: note });
    await view.getByText('+June', { exact: true }).waitFor();
    await expectAccessible(view);
    await view.getByRole('button', { name: 'Take back' }).click();
    await view.getByText('Taken back to version 1.').waitFor();
    const { notes } = await structured('note_read_note', { note_id: note });
    expect(notes[0].content).toContain('May');
    const heard = await page.evaluate(() => (window as any).heard);
    expect(heard.some((one: any) => one.method === 'ui/update-model-context')).toBe(true);
    const again = await shown('note_diff_note', { note_id: note });
    await again.view.getByRole('button', { name: 'Accept' }).click();
    await again.view.getByText('Accepted.').waitFor();
    browser.expectClean();
  });

  test('a chart: as a picture, which runs nothing', async () => {
    const { file_id: file, sheet_id: sheet } = await structured('manage_create_file', { title: 'Chart' });
    await call('sheet_write', {
      file_id: file,
      range: 'A1',
      rows: [
        ['a', 'b'],
        ['x', 1],
        ['y', 2],
      ],
    });
    await call('sheet_add_chart', {
      file_id: file,
      sheet_id: sheet,
      chart_type: 'CHART_LINE',
      data_range: { start_row: 0, start_col: 0, end_row: 2, end_col: 1 },
      drawing_id: 'c1',
    });
    for (const format of ['svg', 'png']) {
      const { view } = await shown('sheet_render_chart', { file_id: file, drawing_id: 'c1', format });
      const image = view.getByRole('img', { name: 'Chart' });
      await expect.poll(() => image.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBeGreaterThan(10);
      await expectAccessible(view);
    }
    browser.expectClean();
  });
});
