import { expect, test } from 'vitest';
import { onTool } from './support.ts';

const left = new Set(['outputSchema', 'idempotency_key', 'reason', 'dry_run', 'return_changes', 'assert']);

onTool('tool list', ({ server }) => {
  test('[S129] the 49 tools of the specification are listed in less than 12,000 tokens', async () => {
    const { url, owner } = server();
    const list = async (path: string) => {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${owner.apiKey}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
      });
      return ((await response.json()) as { result: { tools: { name: string }[] } }).result.tools;
    };
    const own = [
      'read',
      'write',
      'check',
      'query',
      'inspect',
      'trace',
      'edit_rows',
      'batch',
      'get_used_range',
      'append_rows',
      'replace',
      'copy_sheet',
      'set_dimension_visible',
      'get_history',
      'revert',
      'describe_sheet',
      'render_chart',
      'render_range',
      'get_filters',
      'get_images',
      'get_kept_objects',
      'update_image',
      'delete_image',
      'get_view',
      'enter_cells',
      'copy_range',
      'list_functions',
      'summarize_range',
      'find_edge',
      'undo_revision',
      'set_name',
      'set_conditional_format',
      'set_validation',
      'set_comment',
      'set_table',
      'set_sheet_properties',
      'set_page_setup',
      'delete_object',
      'list_objects',
      'get_computed_formats',
    ].map((name) => `sheet_${name}`);
    const tools = (await list('/mcp?modules=sheet')).filter((one) => !own.includes(one.name));
    expect(tools).toHaveLength(49);
    // Output schemas are for clients, and the common options of all writes are counted with the whole list.
    const counted = JSON.stringify({ tools }, (key, value: unknown) => (left.has(key) ? undefined : value));
    expect(Buffer.byteLength(counted)).toBeLessThan(48_000);
  });
});
