import { crc32, deflateRawSync } from 'node:zlib';
import { concat, u16, u32, utf8 } from './bytes.ts';

export interface RawEntry {
  name: string;
  data: Uint8Array;
  /** Uncompressed size that the archive states for the entry instead of the actual size. */
  declaredSize?: number;
  /** Whether to write data that cannot be inflated, with a valid directory entry. */
  garbage?: boolean;
}

/** Builds a ZIP archive field by field, so that tests can write wrong values into its fields. */
export function rawZip(entries: RawEntry[], options: { declaredCount?: number } = {}): Uint8Array {
  const locals: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const entry of entries) {
    const name = utf8(entry.name);
    const honest = deflateRawSync(entry.data, { level: 9 });
    const packed = entry.garbage === true ? new Uint8Array(honest.length).fill(0xff) : honest;
    const fields = concat(
      u16(20, 0, 8, 0, 0),
      u32(crc32(entry.data), packed.length, entry.declaredSize ?? entry.data.length),
      u16(name.length, 0),
    );
    const local = concat(u32(0x04034b50), fields, name, packed);
    directory.push(concat(u32(0x02014b50), u16(20), fields, u16(0, 0, 0), u32(0, at), name));
    locals.push(local);
    at += local.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const count = options.declaredCount ?? entries.length;
  return concat(...locals, ...directory, u32(0x06054b50), u16(0, 0, count, count), u32(size, at), u16(0));
}
