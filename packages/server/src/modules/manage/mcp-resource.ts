import { overLimit } from '../sheet/errors.ts';
import { documentTopic } from '../sheet/events.ts';
import type { ResourceKind } from '../../kernel/mcp-resource.ts';
import { systemStamp } from '../../ports/audit-stamp.ts';
import { findFileIds } from '../sheet/mcp-resource.ts';
import { fileTypes } from './schema.ts';

const maxBytes = 8 * 2 ** 20;

/** MCP resource that returns a spreadsheet as an .xlsx file, as the operation export_file does. */
export const fileResource: ResourceKind = {
  template: 'sheaf://file/{id}',
  name: 'file',
  title: 'Spreadsheet as a file',
  description: 'A whole spreadsheet as an .xlsx file, at most 8 MiB.',
  mimeType: fileTypes.xlsx,
  async read({ id = '' }, { caller, services, signal }) {
    const { documents, clock } = services;
    const by = { caller, stamp: systemStamp(clock.now(), 'manage.resource', caller.userId), reply: {}, signal };
    const { document } = await documents.access(by, id, 'viewer');
    const bytes = await documents.export(by, document, { format: 'xlsx', safe: true });
    if (bytes.length > maxBytes)
      throw overLimit(
        `id: the file has ${bytes.length} bytes, at most ${maxBytes} can be read as a resource; use export_file`,
      );
    return { blob: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64') };
  },
  complete: (_variable, begun, _values, reach) => findFileIds(begun, reach),
  async watch({ id = '' }, { caller, services }) {
    const stamp = systemStamp(services.clock.now(), 'manage.resource', caller.userId);
    await services.documents.access({ caller, stamp, reply: {} }, id, 'viewer');
    return { topic: documentTopic(id) };
  },
};
