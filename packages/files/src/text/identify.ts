import { isCompoundFile, openCompound } from '../containers/compound-file.ts';
import { defaultLimits } from '../decode-types.ts';
import { FormatError } from '../format-error.ts';
import type { FormatKind } from '../formats.ts';
import { isZip, openZip } from '../zip/reader.ts';
import { detectAudioFormat } from './audio-duration.ts';
import { isEpub, isMsg, isRtf, isXlsb, openDocumentKind } from './file-signatures.ts';
import { hasPdfMark, checkImage } from './format-checks.ts';
import { isXmindArchive } from './xmind.ts';

/** Detects the format of a complete file by its bytes. Returns undefined for text and for formats without a decoder. */
export async function identify(bytes: Uint8Array): Promise<FormatKind | undefined> {
  try {
    if (hasPdfMark(bytes)) return 'pdf';
    if (isRtf(bytes)) return 'rtf';
    if (isZip(bytes)) return archiveKind(bytes);
    if (isCompoundFile(bytes)) return compoundKind(bytes);
    if ((await checkImage(bytes, true)).ok) return 'image';
    return detectAudioFormat(bytes) === undefined ? undefined : 'audio';
  } catch (error) {
    if (error instanceof FormatError) return isZip(bytes) ? 'zip' : undefined;
    throw error;
  }
}

function archiveKind(bytes: Uint8Array): FormatKind {
  const archive = openZip(bytes, defaultLimits);
  const has = (folder: string): boolean => [...archive.entries.keys()].some((name) => name.startsWith(folder));
  if (isXlsb(archive)) return 'xlsb';
  if (archive.has('[Content_Types].xml')) {
    if (has('word/')) return 'docx';
    if (has('ppt/')) return 'pptx';
    if (has('xl/')) return 'xlsx';
  }
  const kinds: Record<string, FormatKind> = { text: 'odt', presentation: 'odp', spreadsheet: 'ods' };
  const openDocument = kinds[openDocumentKind(archive) ?? ''];
  if (openDocument !== undefined) return openDocument;
  if (isEpub(archive)) return 'epub';
  return isXmindArchive(archive) ? 'xmind' : 'zip';
}

function compoundKind(bytes: Uint8Array): FormatKind | undefined {
  const file = openCompound(bytes);
  if (isMsg(file)) return 'msg';
  if (file.has('WordDocument')) return 'doc';
  if (file.has('PowerPoint Document')) return 'ppt';
  return file.has('Workbook') || file.has('Book') ? 'xls' : undefined;
}
