import type { SheetDocument } from '@sheaf/engine/internal/document';

/** The document's words for search: names of sub-sheets and text of cells, up to the limit. */
export function documentText(document: SheetDocument, limit: number): string {
  const parts: string[] = [];
  let length = 0;
  for (const sub of document.subSheets) {
    parts.push(sub.name);
    const used = document.usedRange(sub);
    if (!used) continue;
    sub.sheet.eachFilled(used.top, used.left, used.bottom, used.right, (value) => {
      // Numbers are not what people search documents by, and there are many.
      if (typeof value !== 'string') return undefined;
      parts.push(value);
      length += value.length + 1;
      return length < limit ? undefined : false;
    });
    if (length >= limit) break;
  }
  return parts.join('\n').slice(0, limit);
}
