import type { CompoundFile } from '../containers/compound-file.ts';
import { partText } from '../containers/package-parts.ts';
import type { ZipArchive } from '../zip/reader.ts';

export function isRtf(bytes: Uint8Array): boolean {
  return [0x7b, 0x5c, 0x72, 0x74, 0x66].every((byte, index) => bytes[index] === byte);
}

/** Returns `text`, `presentation`, `spreadsheet` or another kind of OpenDocument file; undefined for other archives. */
export function openDocumentKind(archive: ZipArchive): string | undefined {
  const name = 'mimetype';
  const entry = archive.find(name);
  const type =
    entry && entry.size < 200
      ? new TextDecoder().decode(archive.read(name))
      : /media-type="(application\/vnd\.oasis[^"]*)"/.exec(partText(archive, 'META-INF/manifest.xml') ?? '')?.[1];
  return /^application\/vnd\.oasis\.opendocument\.([a-z]+)/.exec(type?.trim() ?? '')?.[1];
}

export function isEpub(archive: ZipArchive): boolean {
  return archive.has('META-INF/container.xml') && openDocumentKind(archive) === undefined;
}

export function isXlsb(archive: ZipArchive): boolean {
  return archive.has('xl/workbook.bin');
}

/** Name of the stream with the fixed-length properties of an Outlook mail. */
export const msgProperties = '__properties_version1.0';

export function isMsg(file: CompoundFile): boolean {
  return file.has(msgProperties);
}
