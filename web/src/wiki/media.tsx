import {
  AudioLines,
  Bot,
  FileCode2,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileType,
  Folder,
  Globe,
  NotebookPen,
  Presentation,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { TextKey } from '../text/use-text.ts';

export const folderType = 99;

interface Kind {
  label: TextKey;
  icon: (size: number) => ReactNode;
}

const kinds: Record<number, Kind> = {
  1: { label: 'kindPdf', icon: (size) => <FileType size={size} /> },
  2: { label: 'kindWeb', icon: (size) => <Globe size={size} /> },
  3: { label: 'kindWord', icon: (size) => <FileText size={size} /> },
  4: { label: 'kindSlides', icon: (size) => <Presentation size={size} /> },
  5: { label: 'kindExcel', icon: (size) => <FileSpreadsheet size={size} /> },
  6: { label: 'kindArticle', icon: (size) => <Globe size={size} /> },
  7: { label: 'kindMarkdown', icon: (size) => <FileText size={size} /> },
  9: { label: 'kindImage', icon: (size) => <FileImage size={size} /> },
  11: { label: 'kindNote', icon: (size) => <NotebookPen size={size} /> },
  12: { label: 'kindSession', icon: (size) => <Bot size={size} /> },
  13: { label: 'kindText', icon: (size) => <FileText size={size} /> },
  14: { label: 'kindXmind', icon: (size) => <FileText size={size} /> },
  15: { label: 'kindAudio', icon: (size) => <AudioLines size={size} /> },
  20: { label: 'kindHtml', icon: (size) => <FileCode2 size={size} /> },
  [folderType]: { label: 'folder', icon: (size) => <Folder size={size} /> },
};

export function kindOf(mediaType: number): Kind {
  return kinds[mediaType] ?? kinds[13]!;
}

/** Types that are files, by extension: what a client has to know to add one. */
const byExtension: Record<string, [number, string]> = {
  pdf: [1, 'application/pdf'],
  doc: [3, 'application/msword'],
  docx: [3, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ppt: [4, 'application/vnd.ms-powerpoint'],
  pptx: [4, 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  xls: [5, 'application/vnd.ms-excel'],
  xlsx: [5, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  csv: [5, 'text/csv'],
  md: [7, 'text/markdown'],
  markdown: [7, 'text/markdown'],
  png: [9, 'image/png'],
  jpg: [9, 'image/jpeg'],
  jpeg: [9, 'image/jpeg'],
  webp: [9, 'image/webp'],
  txt: [13, 'text/plain'],
  xmind: [14, 'application/x-xmind'],
  mp3: [15, 'audio/mpeg'],
  m4a: [15, 'audio/x-m4a'],
  wav: [15, 'audio/wav'],
  aac: [15, 'audio/aac'],
  html: [20, 'text/html'],
  htm: [20, 'text/html'],
};

interface FileKind {
  mediaType: number;
  contentType: string;
  extension: string;
}

export function fileKindOf(name: string): FileKind | undefined {
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const known = Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined;
  return known && { mediaType: known[0], contentType: known[1], extension };
}

export const acceptedFiles = Object.keys(byExtension)
  .map((extension) => `.${extension}`)
  .join(',');
