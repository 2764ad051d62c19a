const sectorSize = 512;
const miniSize = 64;
const miniCutoff = 4096;
const freeSector = 0xffffffff;
const endOfChain = 0xfffffffe;
const fatSector = 0xfffffffd;
const difatSector = 0xfffffffc;
const headerDifat = 109;
const perFat = sectorSize / 4;

export interface OfficeLayout {
  /** Number of additional, unused sectors of the allocation table. Office leaves such sectors in its files. */
  spareFat?: number;
}

interface Entry {
  name: string;
  type: number;
  data: Uint8Array;
  child: number;
  right: number;
  start: number;
}

/**
 * Builds a compound file in the layout of an encrypted Office package: nested storages, small streams in the mini
 * stream, and the allocation table after the data. If the list of the table's sectors does not fit into the header, it
 * continues outside. The names in `streams` are paths.
 */
export function officeCompound(streams: Record<string, Uint8Array>, { spareFat = 0 }: OfficeLayout = {}): Uint8Array {
  const entries = entriesOf(streams);
  const sectors: Uint8Array[] = [];
  const fat: number[] = [];
  const put = (data: Uint8Array): number => {
    if (data.length === 0) return endOfChain;
    const first = sectors.length;
    for (let at = 0; at < data.length; at += sectorSize) {
      const sector = new Uint8Array(sectorSize);
      sector.set(data.subarray(at, at + sectorSize));
      sectors.push(sector);
      fat.push(at + sectorSize < data.length ? sectors.length : endOfChain);
    }
    return first;
  };
  const mini: Uint8Array[] = [];
  const miniFat: number[] = [];
  for (const entry of entries) {
    if (entry.type !== 2 || entry.data.length === 0) continue;
    if (entry.data.length >= miniCutoff) {
      entry.start = put(entry.data);
      continue;
    }
    entry.start = miniFat.length;
    const count = Math.ceil(entry.data.length / miniSize);
    const padded = new Uint8Array(count * miniSize);
    padded.set(entry.data);
    mini.push(padded);
    for (let index = 0; index < count; index++) miniFat.push(index + 1 < count ? miniFat.length + 1 : endOfChain);
  }
  const root = entries[0]!;
  root.data = Buffer.concat(mini);
  root.start = put(root.data);
  const miniFatAt = put(table(miniFat));
  const directoryAt = put(directory(entries));
  const fatCount = tableSectors(sectors.length, spareFat);
  const difatCount = Math.max(0, Math.ceil((fatCount - headerDifat) / (perFat - 1)));
  const difatAt = sectors.length;
  for (let index = 0; index < difatCount; index++) fat.push(difatSector);
  const fatAt = difatAt + difatCount;
  const fatIds = Array.from({ length: fatCount }, (_, index) => fatAt + index);
  for (const _ of fatIds) fat.push(fatSector);
  while (fat.length < fatCount * perFat) fat.push(freeSector);
  const rest = fatIds.slice(headerDifat);
  const difat = Array.from({ length: difatCount }, (_, index) => {
    const ids = rest.slice(index * (perFat - 1), (index + 1) * (perFat - 1));
    while (ids.length < perFat - 1) ids.push(freeSector);
    return [...ids, index + 1 < difatCount ? difatAt + index + 1 : endOfChain];
  });
  const header = headerOf(
    fatIds,
    directoryAt,
    miniFatAt,
    Math.ceil(miniFat.length / perFat),
    difatCount > 0 ? difatAt : endOfChain,
    difatCount,
  );
  return Buffer.concat([header, ...sectors, ...difat.map(table), table(fat)]);
}

function tableSectors(data: number, spare: number): number {
  for (let count = 1; ; count++) {
    const difat = Math.max(0, Math.ceil((count + spare - headerDifat) / (perFat - 1)));
    if (count * perFat >= data + count + spare + difat) return count + spare;
  }
}

function entriesOf(streams: Record<string, Uint8Array>): Entry[] {
  const entry = (name: string, type: number, data: Uint8Array): Entry => ({
    name,
    type,
    data,
    child: freeSector,
    right: freeSector,
    start: 0,
  });
  const entries = [entry('Root Entry', 5, new Uint8Array())];
  const places = new Map([['', 0]]);
  const add = (path: string, type: number, data: Uint8Array): number => {
    const slash = path.lastIndexOf('/');
    const folder = path.slice(0, Math.max(0, slash));
    const parent = places.get(folder) ?? add(folder, 1, new Uint8Array());
    const place = entries.push(entry(path.slice(slash + 1), type, data)) - 1;
    places.set(path, place);
    const owner = entries[parent]!;
    // Make the new entry the child of its storage, with the previous child as its right sibling. The result is a
    // valid, though unbalanced, directory tree.
    entries[place]!.right = owner.child;
    owner.child = place;
    return place;
  };
  for (const [path, data] of Object.entries(streams)) add(path, 2, data);
  return entries;
}

function directory(entries: readonly Entry[]): Buffer {
  const bytes = Buffer.alloc(Math.ceil(entries.length / 4) * sectorSize);
  entries.forEach(({ name, type, data, child, right, start }, index) => {
    const at = index * 128;
    bytes.write(name, at, 'utf16le');
    bytes.writeUInt16LE((name.length + 1) * 2, at + 64);
    bytes.writeUInt8(type, at + 66);
    bytes.writeUInt8(1, at + 67);
    bytes.writeUInt32LE(freeSector, at + 68);
    bytes.writeUInt32LE(right, at + 72);
    bytes.writeUInt32LE(child, at + 76);
    bytes.writeUInt32LE(start, at + 116);
    bytes.writeUInt32LE(data.length, at + 120);
  });
  return bytes;
}

function headerOf(
  fatIds: readonly number[],
  directoryAt: number,
  miniFatAt: number,
  miniFats: number,
  difatAt: number,
  difats: number,
): Buffer {
  const header = Buffer.alloc(sectorSize, 0xff);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header);
  header.fill(0, 8, 76);
  header.writeUInt16LE(0x3e, 24);
  header.writeUInt16LE(3, 26);
  header.writeUInt16LE(0xfffe, 28);
  header.writeUInt16LE(9, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(fatIds.length, 44);
  header.writeUInt32LE(directoryAt, 48);
  header.writeUInt32LE(miniCutoff, 56);
  header.writeUInt32LE(miniFatAt, 60);
  header.writeUInt32LE(miniFats, 64);
  header.writeUInt32LE(difatAt, 68);
  header.writeUInt32LE(difats, 72);
  fatIds.slice(0, headerDifat).forEach((id, index) => header.writeUInt32LE(id, 76 + index * 4));
  return header;
}

function table(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(Math.ceil(values.length / perFat) * sectorSize, 0xff);
  values.forEach((value, index) => bytes.writeUInt32LE(value, index * 4));
  return bytes;
}
