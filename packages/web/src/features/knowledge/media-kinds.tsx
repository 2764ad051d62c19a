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
import { fileFormats, mediaNumber } from '@sheaf/client/media-types';
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

interface FileKind {
  mediaType: number;
  contentType: string;
  extension: string;
}

export function fileKindOf(name: string): FileKind | undefined {
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const known = fileFormats.find((one) => one.extension === extension);
  return known && { mediaType: known.mediaType, contentType: known.contentTypes[0]!, extension };
}
