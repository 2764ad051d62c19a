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
import { mediaNumber } from '@sheaf/client/media-types';
import type { MessageKey } from '../../i18n/use-translation.ts';

interface MediaKind {
  label: MessageKey;
  icon: (size: number) => ReactNode;
}

const kinds: Record<number, MediaKind> = {
  [mediaNumber.pdf]: { label: 'kindPdf', icon: (size) => <FileType size={size} className="text-pdf" /> },
  [mediaNumber.webPage]: { label: 'kindWeb', icon: (size) => <Globe size={size} className="text-web" /> },
  [mediaNumber.word]: { label: 'kindWord', icon: (size) => <FileText size={size} className="text-word" /> },
  [mediaNumber.slides]: { label: 'kindSlides', icon: (size) => <Presentation size={size} className="text-slides" /> },
  [mediaNumber.excel]: { label: 'kindExcel', icon: (size) => <FileSpreadsheet size={size} className="text-sheet" /> },
  [mediaNumber.article]: { label: 'kindArticle', icon: (size) => <Globe size={size} className="text-web" /> },
  [mediaNumber.markdown]: { label: 'kindMarkdown', icon: (size) => <FileText size={size} className="text-word" /> },
  [mediaNumber.image]: { label: 'kindImage', icon: (size) => <FileImage size={size} className="text-picture" /> },
  [mediaNumber.note]: { label: 'kindNote', icon: (size) => <NotebookPen size={size} className="text-note" /> },
  [mediaNumber.session]: { label: 'kindSession', icon: (size) => <Bot size={size} className="text-base-kind" /> },
  [mediaNumber.text]: { label: 'kindText', icon: (size) => <FileText size={size} /> },
  [mediaNumber.xmind]: { label: 'kindXmind', icon: (size) => <FileText size={size} className="text-slides" /> },
  [mediaNumber.audio]: { label: 'kindAudio', icon: (size) => <AudioLines size={size} className="text-picture" /> },
  [mediaNumber.html]: { label: 'kindHtml', icon: (size) => <FileCode2 size={size} className="text-web" /> },
  [mediaNumber.folder]: { label: 'folder', icon: (size) => <Folder size={size} className="text-base-kind" /> },
};

export function mediaKindOf(mediaType: number): MediaKind {
  return kinds[mediaType] ?? kinds[mediaNumber.text]!;
}

/** Media type number and MIME type by file extension, which the API needs for an upload. */
const byExtension: Record<string, [number, string]> = {
  pdf: [mediaNumber.pdf, 'application/pdf'],
  doc: [mediaNumber.word, 'application/msword'],
  docx: [mediaNumber.word, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ppt: [mediaNumber.slides, 'application/vnd.ms-powerpoint'],
  pptx: [mediaNumber.slides, 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  xls: [mediaNumber.excel, 'application/vnd.ms-excel'],
  xlsx: [mediaNumber.excel, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  csv: [mediaNumber.excel, 'text/csv'],
  md: [mediaNumber.markdown, 'text/markdown'],
  markdown: [mediaNumber.markdown, 'text/markdown'],
  png: [mediaNumber.image, 'image/png'],
  jpg: [mediaNumber.image, 'image/jpeg'],
  jpeg: [mediaNumber.image, 'image/jpeg'],
  webp: [mediaNumber.image, 'image/webp'],
  txt: [mediaNumber.text, 'text/plain'],
  xmind: [mediaNumber.xmind, 'application/x-xmind'],
  mp3: [mediaNumber.audio, 'audio/mpeg'],
  m4a: [mediaNumber.audio, 'audio/x-m4a'],
  wav: [mediaNumber.audio, 'audio/wav'],
  aac: [mediaNumber.audio, 'audio/aac'],
  html: [mediaNumber.html, 'text/html'],
  htm: [mediaNumber.html, 'text/html'],
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
