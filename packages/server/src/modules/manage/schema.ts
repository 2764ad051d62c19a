import { z } from 'zod';
import { integer, oneOf, text } from '../../kernel/field-schemas.ts';
import type { DocumentRole, StoredDocument } from '../../ports/sheet-store.ts';

export const fileTypes = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
} as const;

export const fileId = () => text("The document's id.", { min: 1, max: 128 });
export const title = () => text("The document's title.", { min: 1, max: 255 });

export const fileInfo = z.object({
  file_id: text("The document's id."),
  title: text('Its title.'),
  file_type: oneOf('Type of the item.', ['sheet']),
  url: text('Where it opens in the page; accepted as file_url by the sheet tools.'),
  owner_id: text("Owner's user id."),
  role: oneOf("The caller's role.", ['owner', 'editor', 'viewer']),
  version: integer('Number of the latest revision.'),
  create_time: integer('Unix milliseconds.'),
  modify_time: integer('Unix milliseconds.'),
});

/**
 * Converts a role to one that clients know. Clients know no role for commenting, so a user who may comment is reported
 * as a viewer.
 */
export function toFileRole(role: DocumentRole): 'owner' | 'editor' | 'viewer' {
  return role === 'commenter' ? 'viewer' : role;
}

export function toFileInfo(document: StoredDocument, role: DocumentRole, baseUrl: string): z.input<typeof fileInfo> {
  return {
    file_id: document.id,
    title: document.title,
    file_type: 'sheet',
    url: fileUrl(baseUrl, document.id),
    owner_id: document.ownerId,
    role: toFileRole(role),
    version: document.version,
    create_time: document.createdAt,
    modify_time: document.modifiedAt,
  };
}

export function fileUrl(baseUrl: string, id: string): string {
  return `${baseUrl.replace(/\/$/, '')}/sheet/${id}`;
}
