import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Copy, Download, Ellipsis, FileUp, Pencil, Plus, Share2, Table2, Trash2, Undo2 } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { sheaf } from '../../lib/api-client.ts';
import { formatTimeAgo } from '../../lib/format.ts';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { promptText } from '../../ui/prompt-dialog.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { lazyComponent } from '../../ui/lazy.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Page } from '../../ui/page-layout.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/status-placeholders.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { saveImportReport } from './import-report.ts';
import {
  copyDocument,
  deleteDocument,
  exportDocument,
  importDocument,
  importableTypes,
  refreshDocuments,
  renameDocument,
  restoreDocument,
} from './panels/document-actions.ts';
import { sheetsQuery } from './queries.ts';

const ShareDialog = lazyComponent(async () => (await import('../sharing/share-dialog.tsx')).ShareDialog);

type ListedDocument = Awaited<ReturnType<typeof sheaf.manage.list_files>>['files'][number];

export function SheetsPage(): ReactNode {
  const text = useTranslation();
  const navigate = useNavigate();
  const [trash, setTrash] = useState(false);
  const [sharing, setSharing] = useState<ListedDocument>();
  const [over, setOver] = useState(false);
  const importing = useImport();
  const files = useInfiniteQuery(sheetsQuery(trash));
  const create = async (): Promise<void> => {
    const title = await promptText({
      title: text('newSheet'),
      label: text('title'),
      initial: text('untitled'),
      action: text('create'),
    });
    if (title === undefined) return;
    const { file_id: id } = await sheaf.manage.create_file({ title });
    await refreshDocuments();
    await navigate({ to: '/sheet/$id', params: { id } });
  };
  const buttons = (
    <>
      <Button disabled={importing.share !== undefined} onClick={importing.choose}>
        <FileUp size={16} /> {text('importSheet')}
      </Button>
      <Button variant="primary" onClick={() => create().catch(showErrorToast)}>
        <Plus size={16} /> {text('newSheet')}
      </Button>
    </>
  );
  const all = files.data?.pages.flatMap((page) => page.files) ?? [];
  return (
    <div
      className={`h-full ${over ? 'bg-accent-soft' : ''}`}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => event.currentTarget === event.target && setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        importing.take(event.dataTransfer.files[0]);
      }}
    >
      <Page
        title={text(trash ? 'trash' : 'sheets')}
        lead={text(trash ? 'sheetTrashLead' : 'sheetsLead')}
        actions={
          <>
            <Button variant="quiet" aria-pressed={trash} onClick={() => setTrash(!trash)}>
              {trash ? <Undo2 size={16} /> : <Trash2 size={16} />} {text(trash ? 'backToSheets' : 'trash')}
            </Button>
            {!trash && buttons}
          </>
        }
      >
        {importing.input}
        {importing.share !== undefined && (
          <div role="status" className="flex flex-col gap-1.5 rounded-xl border border-line bg-raised px-4 py-3">
            <span className="truncate text-sm">
              {text(importing.share < 1 ? 'importSending' : 'importReading', { name: importing.name })}
            </span>
            <progress
              max={1}
              value={importing.share < 1 ? importing.share : undefined}
              aria-label={importing.name}
              className="h-1.5 w-full accent-accent"
            />
            <Button variant="quiet" className="h-7 self-start" onClick={importing.cancel}>
              {text('cancel')}
            </Button>
          </div>
        )}
        {files.isPending ? (
          <SkeletonLines count={4} />
        ) : files.error ? (
          <ErrorState error={files.error} retry={() => void files.refetch()} />
        ) : all.length === 0 ? (
          trash ? (
            <EmptyState icon={<Trash2 />} title={text('trashEmpty')} />
          ) : (
            <EmptyState icon={<Table2 />} title={text('noSheets')} actions={buttons}>
              {text('noSheetsHint')}
            </EmptyState>
          )
        ) : (
          <ul
            className="divide-y divide-line rounded-xl border border-line bg-raised"
            aria-label={text(trash ? 'trash' : 'sheets')}
          >
            {all.map((file) =>
              trash ? (
                <DeletedRow key={file.file_id} file={file} />
              ) : (
                <DocumentRow key={file.file_id} file={file} onShare={() => setSharing(file)} />
              ),
            )}
          </ul>
        )}
        {files.hasNextPage && (
          <div className="flex justify-center">
            <Button variant="quiet" onClick={() => void files.fetchNextPage()}>
              {text('loadMore')}
            </Button>
          </div>
        )}
        {sharing && (
          <ShareDialog kind="sheet" id={sharing.file_id} title={sharing.title} onClose={() => setSharing(undefined)} />
        )}
      </Page>
    </div>
  );
}

interface Importing {
  /** Upload progress from 0 to 1; undefined when idle, 1 while the server imports the file. */
  readonly share: number | undefined;
  readonly name: string;
  readonly input: ReactNode;
  choose(): void;
  take(file: File | undefined): void;
  cancel(): void;
}

function useImport(): Importing {
  const text = useTranslation();
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const [share, setShare] = useState<number>();
  const [name, setName] = useState('');
  const stop = useRef<AbortController>(undefined);
  const run = async (file: File): Promise<void> => {
    stop.current = new AbortController();
    setName(file.name);
    setShare(0);
    try {
      const { file_id: id, warnings } = await importDocument(file, setShare, stop.current.signal);
      saveImportReport(id, warnings);
      await navigate({ to: '/sheet/$id', params: { id } });
    } catch (error) {
      if (!stop.current.signal.aborted) showErrorToast(error);
    } finally {
      setShare(undefined);
    }
  };
  const take = (file: File | undefined): void => {
    if (file) void run(file);
  };
  const input = (
    <input
      ref={field}
      type="file"
      accept={importableTypes}
      aria-label={text('importSheet')}
      className="sr-only"
      tabIndex={-1}
      onChange={(event) => {
        take(event.target.files?.[0]);
        event.target.value = '';
      }}
    />
  );
  return { share, name, input, choose: () => field.current?.click(), take, cancel: () => stop.current?.abort() };
}

function DocumentRow({ file, onShare }: { file: ListedDocument; onShare: () => void }): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const copy = async (): Promise<void> => {
    const id = await copyDocument(file.file_id, file.title, text);
    await navigate({ to: '/sheet/$id', params: { id } });
  };
  return (
    <li className="flex min-h-14 items-center gap-3 px-4 py-2">
      <Table2 size={18} className="shrink-0 text-faint" />
      <Link
        to="/sheet/$id"
        params={{ id: file.file_id }}
        className="min-w-0 flex-1 truncate rounded font-medium hover:underline"
      >
        {file.title}
      </Link>
      <span className="hidden text-sm text-faint sm:inline">{formatTimeAgo(file.modify_time, language)}</span>
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

function DeletedRow({ file }: { file: ListedDocument }): ReactNode {
  const text = useTranslation();
  return (
    <li className="flex min-h-14 items-center gap-3 px-4 py-2">
      <Table2 size={18} className="shrink-0 text-faint" />
      <span className="min-w-0 flex-1 truncate font-medium">{file.title}</span>
      <Button onClick={() => void restoreDocument(file.file_id).catch(showErrorToast)}>{text('restore')}</Button>
    </li>
  );
}
