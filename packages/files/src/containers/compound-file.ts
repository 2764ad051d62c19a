import { damaged } from '../format-error.ts';

/**
 * A storage (folder) of an OLE compound file, the container format of .doc, .xls, .ppt and encrypted OOXML files. Its
 * streams are the files in the folder. A list of linked sectors that is longer than the number of sectors in the file
 * is an error, so a cycle cannot cause an endless loop.
 */
export interface CompoundFile {
  has(name: string): boolean;
  /** Reads a stream of this storage. Names are case-insensitive, as the format requires. */
  read(name: string): Uint8Array;
  /** Names of the direct child storages, in lower case. */
  readonly storages: readonly string[];
  /** Opens a direct child storage; returns undefined if there is none with this name. */
  storage(name: string): CompoundFile | undefined;
}

interface DirectoryEntry {
  name: string;
  type: number;
  left: number;
  right: number;
  child: number;
  start: number;
  size: number;
}

const endOfChain = 0xfffffffe;
const noStream = 0xffffffff;
const headerDifat = 109;
const typeStorage = 1;
const typeStream = 2;
const typeRoot = 5;

const signature = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

export function isCompoundFile(bytes: Uint8Array): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

export function openCompound(bytes: Uint8Array): CompoundFile {
  if (!isCompoundFile(bytes) || bytes.length < 1536) throw damaged('it is too short for a document of this kind');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const shift = view.getUint16(30, true);
  const miniShift = view.getUint16(32, true);
  if ((shift !== 9 && shift !== 12) || miniShift !== 6) throw damaged('its sector sizes are impossible');
  const sectorSize = 1 << shift;
  const sectorCount = Math.ceil((bytes.length - sectorSize) / sectorSize);
  const miniCutoff = view.getUint32(56, true);

  const sector = (id: number): Uint8Array => {
    if (id >= sectorCount) throw damaged('it contains an offset outside the file');
    return bytes.subarray((id + 1) * sectorSize, (id + 2) * sectorSize);
  };
  const fat = readFat(view, sectorSize, sectorCount, sector);
  const chain = (start: number, table: Uint32Array): number[] => {
    const ids: number[] = [];
    for (let id = start; id !== endOfChain && id !== noStream; id = table[id]!) {
      if (id >= table.length || ids.length >= table.length) throw damaged('its sectors form a loop');
      ids.push(id);
    }
    return ids;
  };
  const readSectors = (start: number): Uint8Array => {
    const ids = chain(start, fat);
    const out = new Uint8Array(ids.length * sectorSize);
    ids.forEach((id, index) => out.set(sector(id), index * sectorSize));
    return out;
  };

  const entries = readEntries(readSectors(view.getUint32(48, true)));
  const root = entries.find((entry) => entry.type === typeRoot);
  if (root === undefined) throw damaged('it has no root directory');
  let mini: { data: Uint8Array; table: Uint32Array } | undefined;

  const readMini = (entry: DirectoryEntry): Uint8Array => {
    mini ??= { data: readSectors(root.start), table: asTable(readSectors(view.getUint32(60, true))) };
    const { data, table } = mini;
    const out = new Uint8Array(entry.size);
    let at = 0;
    for (const id of chain(entry.start, table)) {
      if (at >= entry.size) break;
      const piece = data.subarray(
        id << miniShift,
        Math.min((id + 1) << miniShift, (id << miniShift) + entry.size - at),
      );
      out.set(piece, at);
      at += 1 << miniShift;
    }
    return out;
  };

  const open = (storage: DirectoryEntry): CompoundFile => {
    const { streams, storages } = childrenOf(entries, storage);
    return {
      has: (name) => streams.has(name.toLowerCase()),
      read(name) {
        const entry = streams.get(name.toLowerCase());
        if (entry === undefined) throw damaged(`its "${name}" stream is missing`);
        if (entry.size > bytes.length) throw damaged(`its "${name}" stream claims to be larger than the file`);
        if (entry.size < miniCutoff) return readMini(entry);
        const data = readSectors(entry.start);
        if (data.length < entry.size) throw damaged(`its "${name}" stream is truncated`);
        return data.subarray(0, entry.size);
      },
      storages: [...storages.keys()],
      storage(name) {
        const entry = storages.get(name.toLowerCase());
        return entry && open(entry);
      },
    };
  };
  return open(root);
}

function asTable(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint32Array.from({ length: bytes.length >> 2 }, (_, index) => view.getUint32(index * 4, true));
}

function readFat(
  view: DataView,
  sectorSize: number,
  sectorCount: number,
  sector: (id: number) => Uint8Array,
): Uint32Array {
  const perSector = sectorSize >> 2;
  const fatSectors = view.getUint32(44, true);
  // Check the size against the number of sectors in the file. A stricter limit is not possible, because Office may
  // write an allocation table much larger than the file needs.
  if (fatSectors > sectorCount) throw damaged('its allocation table is larger than the file');
  const ids: number[] = [];
  for (let index = 0; index < Math.min(headerDifat, fatSectors); index++)
    ids.push(view.getUint32(76 + index * 4, true));
  let next = view.getUint32(68, true);
  for (let hops = 0; ids.length < fatSectors; hops++) {
    if (hops > sectorCount) throw damaged('its allocation table forms a loop');
    const table = asTable(sector(next));
    if (table.length < perSector) throw damaged('its allocation table is truncated');
    for (let index = 0; index < perSector - 1 && ids.length < fatSectors; index++) ids.push(table[index]!);
    next = table[perSector - 1]!;
  }
  const fat = new Uint32Array(ids.length * perSector).fill(noStream);
  ids.forEach((id, index) => fat.set(asTable(sector(id)), index * perSector));
  return fat;
}

function readEntries(bytes: Uint8Array): DirectoryEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: DirectoryEntry[] = [];
  const decoder = new TextDecoder('utf-16le');
  for (let at = 0; at + 128 <= bytes.length; at += 128) {
    const nameBytes = Math.min(Math.max(view.getUint16(at + 64, true) - 2, 0), 62) & ~1;
    entries.push({
      name: decoder.decode(bytes.subarray(at, at + nameBytes)),
      type: view.getUint8(at + 66),
      left: view.getUint32(at + 68, true),
      right: view.getUint32(at + 72, true),
      child: view.getUint32(at + 76, true),
      start: view.getUint32(at + 116, true),
      size: view.getUint32(at + 120, true),
    });
  }
  return entries;
}

/**
 * Returns the streams (files) and storages (folders) directly in a storage. Nested storages are not searched, because
 * those of embedded objects contain streams of the same names.
 */
function childrenOf(
  entries: DirectoryEntry[],
  storage: DirectoryEntry,
): Record<'streams' | 'storages', Map<string, DirectoryEntry>> {
  const streams = new Map<string, DirectoryEntry>();
  const storages = new Map<string, DirectoryEntry>();
  const visited = new Set<number>();
  const waiting = [storage.child];
  while (waiting.length > 0) {
    const id = waiting.pop()!;
    const entry = entries[id];
    if (entry === undefined || visited.has(id)) continue;
    visited.add(id);
    if (entry.type === typeStream) streams.set(entry.name.toLowerCase(), entry);
    if (entry.type === typeStorage) storages.set(entry.name.toLowerCase(), entry);
    waiting.push(entry.left, entry.right);
  }
  return { streams, storages };
}
