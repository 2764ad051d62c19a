import type { CompoundFile } from './compound-file.ts';

/**
 * Reads title and author from the summary stream of a compound file; returns {} if the summary is absent or unreadable.
 */
export function readSummary(file: CompoundFile): { title?: string; author?: string } {
  const name = '\u0005SummaryInformation';
  if (!file.has(name)) return {};
  try {
    const bytes = file.read(name);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const section = view.getUint32(44, true);
    const count = Math.min(view.getUint32(section + 4, true), 100);
    const places = new Map<number, number>();
    for (let index = 0; index < count; index++) {
      places.set(
        view.getUint32(section + 8 + index * 8, true),
        section + view.getUint32(section + 12 + index * 8, true),
      );
    }
    const codePage = places.has(1) ? view.getUint16(places.get(1)! + 4, true) : 1252;
    const text = (id: number): string | undefined => {
      const at = places.get(id);
      return at === undefined ? undefined : propertyText(bytes, view, at, codePage);
    };
    return { title: text(2), author: text(4) };
  } catch (error) {
    if (error instanceof RangeError || error instanceof Error) return {};
    throw error;
  }
}

const labels: Record<number, string> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  1200: 'utf-16le',
  10008: 'gbk',
  54936: 'gb18030',
  65001: 'utf-8',
};

function propertyText(bytes: Uint8Array, view: DataView, at: number, codePage: number): string | undefined {
  const type = view.getUint16(at, true);
  const length = Math.min(view.getUint32(at + 4, true), 4_096);
  const wide = type === 0x1f;
  if (type !== 0x1e && !wide) return undefined;
  const label = wide
    ? 'utf-16le'
    : (labels[codePage] ?? (codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : 'windows-1252'));
  const raw = bytes.subarray(at + 8, at + 8 + (wide ? length * 2 : length));
  const text = new TextDecoder(label).decode(raw).replace(/\0.*$/s, '').trim();
  return text === '' ? undefined : text;
}
