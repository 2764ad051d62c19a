import { isCompoundFile, openCompound, type CompoundFile } from './compound-file.ts';
import { FormatError } from '../format-error.ts';
import { excelDefaultPassword } from './legacy-crypto.ts';
import { decryptPackage, isEncryptedPackage, withPassword } from './ooxml-crypto.ts';
import type { DecodeJob } from '../decode-types.ts';
import { localName, scanXml, decodeXml } from '../xml/sax.ts';
import { partTitle } from './package-parts.ts';
import { isZip, openZip, type ZipArchive } from '../zip/reader.ts';

/**
 * An opened Office file. Its content determines the form, not its extension: a `.doc` file that contains OOXML is
 * opened as a ZIP archive.
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
