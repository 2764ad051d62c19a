import type { SheetDocument } from '@sheaf/engine/internal/document';

/** Returns a document's text for the search index: names of sub-sheets and text cells, up to `limit` characters. */
export function extractSearchText(document: SheetDocument, limit: number): string {
  const parts: string[] = [];
  let length = 0;
  for (const sub of document.subSheets) {
    parts.push(sub.name);
    const used = document.usedRange(sub);
    if (!used) continue;
    sub.sheet.eachFilled(used.top, used.left, used.bottom, used.right, (value) => {
      // Skip numbers: there are many, and users do not search for them.
      if (typeof value !== 'string') return undefined;
      parts.push(value);
      length += value.length + 1;
      return length < limit ? undefined : false;
    });
    if (length >= limit) break;
  }
  return parts.join('\n').slice(0, limit);
}
