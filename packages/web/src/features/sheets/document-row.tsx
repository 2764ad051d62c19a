import { Link, useNavigate } from '@tanstack/react-router';
import { Copy, Download, Ellipsis, Pencil, Share2, Table2, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { sheaf } from '../../lib/api-client.ts';
import { formatTimeAgo } from '../../lib/format.ts';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { DocumentPreview } from './document-preview.tsx';
import {
  copyDocument,
  deleteDocument,
  exportDocument,
  renameDocument,
  restoreDocument,
} from './panels/document-actions.ts';

export type ListedDocument = Awaited<ReturnType<typeof sheaf.manage.list_files>>['files'][number];

/**
 * The browser skips layout of off-screen rows (content-visibility), so that a list of thousands of documents stays
 * fast.
 */
const rowClass =
  'flex min-h-16 items-center gap-3 px-4 py-2 [contain-intrinsic-size:auto_4rem] [content-visibility:auto]';

export function DocumentRow({
  file,
  owner,
  onShare,
}: {
  file: ListedDocument;
  owner: string;
  onShare: () => void;
}): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const copy = async (): Promise<void> => {
    const id = await copyDocument(file.file_id, file.title, text);
    await navigate({ to: '/sheet/$id', params: { id } });
  };
  return (
    <li className={rowClass}>
      <DocumentPreview id={file.file_id} version={file.version}>
        <Link to="/sheet/$id" params={{ id: file.file_id }} className="truncate rounded font-medium hover:underline">
          {file.title}
        </Link>
      </DocumentPreview>
      <span className="hidden w-32 truncate text-sm text-soft md:inline">{owner}</span>
      <span className="hidden w-28 text-right text-sm text-faint sm:inline">
        {formatTimeAgo(file.modify_time, language)}
      </span>
      <Menu
        trigger={
          <IconButton label={text('actionsFor', { name: file.title })}>
            <Ellipsis size={18} />
          </IconButton>
        }
        entries={[
          file.role !== 'viewer' && {
            label: text('rename'),
            icon: <Pencil size={15} />,
            run: () => void renameDocument(file.file_id, file.title, text).catch(showErrorToast),
          },
          file.role === 'owner' && { label: text('share'), icon: <Share2 size={15} />, run: onShare },
          { label: text('makeCopy'), icon: <Copy size={15} />, run: () => void copy().catch(showErrorToast) },
          {
            label: text('exportXlsx'),
            icon: <Download size={15} />,
            run: () => void exportDocument(file.file_id, 'xlsx').catch(showErrorToast),
          },
          file.role === 'owner' && null,
          file.role === 'owner' && {
            label: text('delete'),
            icon: <Trash2 size={15} />,
            danger: true,
            run: () => void deleteDocument(file.file_id, file.title, text).catch(showErrorToast),
          },
        ]}
      />
    </li>
  );
}

export function DeletedRow({ file }: { file: ListedDocument }): ReactNode {
  const text = useTranslation();
  return (
    <li className={rowClass}>
      <Table2 size={18} className="shrink-0 text-faint" />
      <span className="min-w-0 flex-1 truncate font-medium">{file.title}</span>
      <Button onClick={() => void restoreDocument(file.file_id).catch(showErrorToast)}>{text('restore')}</Button>
    </li>
  );
}
