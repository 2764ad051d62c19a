import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FileUp, Plus, Search, Table2, Trash2, Undo2 } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { sheaf } from '../../lib/api-client.ts';
import { useTranslation, type MessageKey } from '../../i18n/use-translation.ts';
import { SearchBox } from '../../ui/search-box.tsx';
import { SelectMenu } from '../../ui/select-menu.tsx';
import { useCurrentUser } from '../../shell/current-user.ts';
import { usersQuery } from '../account/account-queries.ts';
import { useAllPages } from '../knowledge/list-view-options.ts';
import { promptText } from '../../ui/prompt-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { lazyComponent } from '../../ui/lazy.tsx';
import { Page } from '../../ui/page-layout.tsx';
import { EmptyState, ErrorState, LoadMore, SkeletonLines } from '../../ui/status-placeholders.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { saveImportReport } from './import-report.ts';
import { DeletedRow, DocumentRow, type ListedDocument } from './document-row.tsx';
import { importDocument, importableTypes, refreshDocuments } from './panels/document-actions.ts';
import { sheetsQuery } from './queries.ts';

const ShareDialog = lazyComponent(async () => (await import('../sharing/share-dialog.tsx')).ShareDialog);

const orders = ['changed', 'name', 'created', 'owner'] as const;
type Order = (typeof orders)[number];
const orderWords: Record<Order, MessageKey> = {
  changed: 'sortByChanged',
  name: 'name',
  created: 'sortCreated',
  owner: 'owner',
};

function sortDocuments(files: readonly ListedDocument[], by: Order, ownerOf: (file: ListedDocument) => string) {
  const compare: Record<Order, (one: ListedDocument, other: ListedDocument) => number> = {
    changed: (one, other) => other.modify_time - one.modify_time,
    created: (one, other) => other.create_time - one.create_time,
    name: (one, other) => one.title.localeCompare(other.title),
    owner: (one, other) => ownerOf(one).localeCompare(ownerOf(other)),
  };
  return files.toSorted(compare[by]);
}

export function SheetsPage(): ReactNode {
  const text = useTranslation();
  const navigate = useNavigate();
  const [trash, setTrash] = useState(false);
  const [sharing, setSharing] = useState<ListedDocument>();
  const [over, setOver] = useState(false);
  const importing = useImport();
  const files = useInfiniteQuery(sheetsQuery(trash));
  const [query, setQuery] = useState('');
  const [order, setOrder] = useState<Order>('changed');
  // The server sorts by the time of the last change. Any other order needs all documents to be loaded.
  useAllPages(order !== 'changed' && query === '', files);
  const found = useQuery({
    queryKey: ['sheets', 'search', query],
    queryFn: () => sheaf.manage.search_file({ query, limit: 50 }),
    enabled: query !== '' && !trash,
  });
  const ownerOf = useOwnerNames();
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
  const listed = files.data?.pages.flatMap((page) => page.files) ?? [];
  const isSearching = query !== '' && !trash;
  // Search results are sorted by relevance, unless the user has chosen another order.
  const all = isSearching
    ? order === 'changed'
      ? (found.data?.files ?? [])
      : sortDocuments(found.data?.files ?? [], order, ownerOf)
    : sortDocuments(listed, order, ownerOf);
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
            <ProgressBar share={importing.share < 1 ? importing.share : undefined} label={importing.name} />
            <Button variant="quiet" className="h-7 self-start" onClick={importing.cancel}>
              {text('cancel')}
            </Button>
          </div>
        )}
        {!trash && (listed.length > 1 || query !== '') && (
          <div className="flex flex-wrap items-center gap-2">
            <div className="min-w-52 flex-1">
              <SearchBox
                value={query}
                label={text('searchSheets')}
                maxLength={256}
                onSearch={(typed) => setQuery(typed ?? '')}
              />
            </div>
            <SelectMenu
              label={text('orderBy')}
              value={order}
              options={orders.map((one) => ({ value: one, label: text(orderWords[one]) }))}
              onChange={setOrder}
            />
          </div>
        )}
        {files.isPending || (isSearching && found.isPending) ? (
          <SkeletonLines count={4} />
        ) : files.error ? (
          <ErrorState error={files.error} retry={() => void files.refetch()} />
        ) : all.length === 0 ? (
          isSearching ? (
            <EmptyState icon={<Search />} title={text('nothingFound', { query })} />
          ) : trash ? (
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
                <DocumentRow key={file.file_id} file={file} owner={ownerOf(file)} onShare={() => setSharing(file)} />
              ),
            )}
          </ul>
        )}
        {!isSearching && <LoadMore list={files} className="" />}
        {sharing && (
          <ShareDialog kind="sheet" id={sharing.file_id} title={sharing.title} onClose={() => setSharing(undefined)} />
        )}
      </Page>
    </div>
  );
}

/**
 * Returns a function that names the owner of a document. Only the owner of the installation can read other users'
 * names. All other users see documents of other owners labeled as shared with them.
 */
function useOwnerNames(): (file: ListedDocument) => string {
  const text = useTranslation();
  const me = useCurrentUser();
  const users = useQuery({ ...usersQuery, enabled: me?.role === 'owner', staleTime: 60_000 });
  return ({ owner_id: id }) => {
    if (id === me?.user_id) return text('byYou');
    const user = users.data?.users.find((one) => one.user_id === id);
    return user?.display_name || user?.name || text('sharedWithYou');
  };
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
