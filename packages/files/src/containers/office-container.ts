import { ZipWriter } from '../zip/writer.ts';
import { isCompoundFile, openCompound, type CompoundFile } from './compound-file.ts';
import { FormatError } from '../format-error.ts';
import { excelDefaultPassword } from './legacy-crypto.ts';
import { decryptPackage, isEncryptedPackage, withPassword } from './ooxml-crypto.ts';
import type { DecodeJob } from '../decode-types.ts';
import { localName, rejectDoctype, scanXml, decodeXml } from '../xml/sax.ts';
import { partTitle } from './package-parts.ts';
import { isZip, openZip, type ZipArchive } from '../zip/reader.ts';

/**
 * An opened Office file. Its bytes determine the form, not the extension: a `.doc` that contains OOXML is opened as a
 * ZIP archive.
 */
export type OfficeContainer =
  | { form: 'zip'; archive: ZipArchive }
  | { form: 'compound'; file: CompoundFile }
  | { form: 'other' };

export function openOffice(bytes: Uint8Array, job: DecodeJob): OfficeContainer {
  if (isZip(bytes)) return { form: 'zip', archive: openZip(bytes, job.limits) };
  if (!isCompoundFile(bytes)) return { form: 'other' };
  const file = openCompound(bytes);
  if (!isEncryptedPackage(file)) return { form: 'compound', file };
  const usual = job.kind === 'xls' || job.kind === 'xlsx' ? excelDefaultPassword : undefined;
  const plain = withPassword(job.password, usual, (password) => decryptPackage(file, password));
  return { form: 'zip', archive: openZip(plain, job.limits) };
}

export function unexpectedFormat(expected: string): FormatError {
  return new FormatError(
    'unsupported',
    `The file contents are not ${expected}. Check that the file has the right extension, or save it again in the program that created it.`,
  );
}

const markup = /\.(?:xml|rels|vml)$/i;

/**
 * Returns a new archive with the wanted XML parts, for a library that unzips by itself. Each part is inflated under the
 * ZIP limits, checked for a DOCTYPE, passed through `edit` and stored uncompressed.
 */
export function sanitizedArchive(
  archive: ZipArchive,
  wanted: (name: string) => boolean,
  edit: (name: string, xml: string) => string = (_, xml) => xml,
): Uint8Array {
  const clean = new ZipWriter(new Date(0));
  const encoder = new TextEncoder();
  for (const name of archive.entries.keys()) {
    if (!markup.test(name) || !wanted(name) || name.startsWith('/') || name.split('/').includes('..')) continue;
    const stored = decodeXml(archive.read(name));
    rejectDoctype(stored, partTitle(name));
    const xml = edit(name, stored);
    // Remove the encoding declaration: the part is now UTF-8, and the libraries assume UTF-8.
    clean.store(name, encoder.encode(xml.replace(/^(\s*<\?xml[^>]*?)\s+encoding\s*=\s*["'][^"']*["']/i, '$1')));
  }
  return clean.finish();
}

export function coreProperties(archive: ZipArchive): { title?: string; author?: string } {
  const part = 'docProps/core.xml';
  if (!archive.has(part)) return {};
  const found: { title?: string; author?: string } = {};
  let inside = '';
  scanXml(decodeXml(archive.read(part)), partTitle(part), {
    open: (name) => (inside = localName(name)),
    close: () => (inside = ''),
    text(text) {
      if (text.trim() === '') return;
      if (inside === 'title') found.title = text;
      if (inside === 'creator') found.author = text;
    },
  });
  return found;
}
