export interface ZipEntryRecord {
  readonly name: Buffer;
  /** True if the file is compressed by deflate, false if it is stored. */
  readonly isPacked: boolean;
  /**
   * True if checksum and sizes follow the data in a descriptor, because they are unknown when the header is written.
   */
  readonly isDescribedAfter: boolean;
  readonly time: number;
  readonly date: number;
  readonly offset: number;
  crc: number;
  packed: number;
  size: number;
}

const most32 = 0xffffffff;
const most16 = 0xffff;
const usualVersion = 20;
const zip64Version = 45;

/** Converts a timestamp to the DOS time and date of a ZIP entry, limited to the years 1980 to 2107. */
export function zipTime(at: number): { time: number; date: number } {
  const when = new Date(Math.max(at, Date.UTC(1980, 0, 1)));
  return {
    time: (when.getUTCHours() << 11) | (when.getUTCMinutes() << 5) | (when.getUTCSeconds() >> 1),
    date: (Math.min(127, when.getUTCFullYear() - 1980) << 9) | ((when.getUTCMonth() + 1) << 5) | when.getUTCDate(),
  };
}

/** Returns the local header, which precedes a file's data. */
export function localHeader(entry: ZipEntryRecord): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(usualVersion, 4);
  header.writeUInt16LE(flagsOf(entry), 6);
  header.writeUInt16LE(entry.isPacked ? 8 : 0, 8);
  header.writeUInt16LE(entry.time, 10);
  header.writeUInt16LE(entry.date, 12);
  if (!entry.isDescribedAfter) {
    header.writeUInt32LE(entry.crc, 14);
    header.writeUInt32LE(entry.packed, 18);
    header.writeUInt32LE(entry.size, 22);
  }
  header.writeUInt16LE(entry.name.length, 26);
  return Buffer.concat([header, entry.name]);
}

/**
 * Returns the data descriptor, which follows a file's data. Its sizes have 32 bits, because callers add no file above 4
 * GiB.
 */
export function descriptor({ crc, packed, size }: ZipEntryRecord): Buffer {
  const after = Buffer.alloc(16);
  after.writeUInt32LE(0x08074b50, 0);
  after.writeUInt32LE(crc, 4);
  after.writeUInt32LE(packed, 8);
  after.writeUInt32LE(size, 12);
  return after;
}

export function centralRecord(entry: ZipEntryRecord): Buffer {
  const isFar = entry.offset >= most32;
  const extra = Buffer.alloc(isFar ? 12 : 0);
  if (isFar) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(8, 2);
    extra.writeBigUInt64LE(BigInt(entry.offset), 4);
  }
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(isFar ? zip64Version : usualVersion, 4);
  record.writeUInt16LE(isFar ? zip64Version : usualVersion, 6);
  record.writeUInt16LE(flagsOf(entry), 8);
  record.writeUInt16LE(entry.isPacked ? 8 : 0, 10);
  record.writeUInt16LE(entry.time, 12);
  record.writeUInt16LE(entry.date, 14);
  record.writeUInt32LE(entry.crc, 16);
  record.writeUInt32LE(entry.packed, 20);
  record.writeUInt32LE(entry.size, 24);
  record.writeUInt16LE(entry.name.length, 28);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt32LE(isFar ? most32 : entry.offset, 42);
  return Buffer.concat([record, entry.name, extra]);
}

/**
 * Returns the end of central directory record. If a value does not fit its field, the ZIP64 form of the record precedes
 * it.
 */
export function endRecord(count: number, start: number, size: number): Buffer {
  const isLarge = count >= most16 || start >= most32 || size >= most32;
  const large = Buffer.alloc(isLarge ? 76 : 0);
  if (isLarge) {
    large.writeUInt32LE(0x06064b50, 0);
    large.writeBigUInt64LE(44n, 4);
    large.writeUInt16LE(zip64Version, 12);
    large.writeUInt16LE(zip64Version, 14);
    large.writeBigUInt64LE(BigInt(count), 24);
    large.writeBigUInt64LE(BigInt(count), 32);
    large.writeBigUInt64LE(BigInt(size), 40);
    large.writeBigUInt64LE(BigInt(start), 48);
    large.writeUInt32LE(0x07064b50, 56);
    large.writeBigUInt64LE(BigInt(start + size), 64);
    large.writeUInt32LE(1, 72);
  }
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(Math.min(count, most16), 8);
  record.writeUInt16LE(Math.min(count, most16), 10);
  record.writeUInt32LE(Math.min(size, most32), 12);
  record.writeUInt32LE(Math.min(start, most32), 16);
  return Buffer.concat([large, record]);
}

/**
 * Returns the general purpose flags: 0x800 marks names as UTF-8, and 8 announces a data descriptor after the file's
 * data.
 */
function flagsOf({ isDescribedAfter }: ZipEntryRecord): number {
  return isDescribedAfter ? 0x808 : 0x800;
}
