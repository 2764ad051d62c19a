import { describe, expect, test } from 'vitest';
import type { Frame, Page } from 'playwright-core';
import { journey } from './journey.ts';

/**
 * A host of MCP Apps: it shows a view in a sandbox without an origin, under the policy that the specification prescribes
 * for views that name no hosts, and passes tool calls on to the server.
 */
const host = `<!doctype html><title>Host</title><body><script>
  window.show = (html, input, result) => new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.sandbox = 'allow-scripts';
    frame.style = 'width:800px;height:600px';
    const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'none'";
    frame.srcdoc = html.replace('<head>', '<head><meta http-equiv="content-security-policy" content="' + policy + '">');
    window.heard = [];
    window.onmessage = async ({ source, data }) => {
      if (source !== frame.contentWindow) return;
      const answer = (result) => source.postMessage({ jsonrpc: '2.0', id: data.id, result }, '*');
      const tell = (method, params) => source.postMessage({ jsonrpc: '2.0', method, params }, '*');
      window.heard.push(data);
      if (data.method === 'ui/initialize')
        answer({
          protocolVersion: '2026-01-26',
          hostInfo: { name: 'test', version: '1' },
          hostCapabilities: { serverTools: {}, openLinks: {} },
          hostContext: { theme: 'light' },
        });
      else if (data.method === 'ui/notifications/initialized') {
        tell('ui/notifications/tool-input', { arguments: input });
        tell('ui/notifications/tool-result', result);
        resolve();
      } else if (data.method === 'tools/call') answer(await window.callTool(data.params.name, data.params.arguments));
      else if (data.id !== undefined) answer({});
    };
    document.body.append(frame);
  });
</script></body>`;

describe('[T94] views of MCP Apps in a host', async () => {
  const { sheaf, browser } = await journey();

  const rpc = async (method: string, params: object): Promise<any> => {
    const response = await fetch(`${sheaf.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${sheaf.credentials.api_key}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return ((await response.json()) as any).result;
  };
  const call = (name: string, args: object): Promise<any> => rpc('tools/call', { name, arguments: args });

  /** Calls a tool and shows its result in its view. */
  const shown = async (name: string, input: object): Promise<{ page: Page; view: Frame }> => {
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
    const page = await browser.open();
    await page.exposeFunction('callTool', call);
    await page.setContent(host);
    const result = await call(name, input);
    await page.evaluate(([text, given, data]) => (window as any).show(text, given, data), [html, input, result]);
    const view = page.frames().find((frame) => frame !== page.mainFrame())!;
    return { page, view };
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
    browser.expectClean();
  });

  test('a change: it is shown line by line, and taken back', async () => {
    const { note_id: note } = await structured('note_import_doc', { content_format: 1, content: '# Plan\n\nMay' });
    await call('note_edit_note', { note_id: note, edits: [{ old: 'May', new: 'June' }] });
    const { page, view } = await shown('note_diff_note', { note_id: note });
    await view.getByText('+June', { exact: true }).waitFor();
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
    }
    browser.expectClean();
  });
});
