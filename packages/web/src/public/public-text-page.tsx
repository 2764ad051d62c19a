import { useQuery } from '@tanstack/react-query';
import { FileText, Folder, Unlink } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { InternalLinksContext, renderMarkdown } from '../features/notes/render-markdown.tsx';
import { useLanguage, useTranslation } from '../i18n/use-translation.ts';
import { formatDateTime } from '../lib/format.ts';
import { Button } from '../ui/button.tsx';
import { useDocumentTitle } from '../ui/page-layout.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../ui/status-placeholders.tsx';
import { callWithLink, isLinkInvalid } from './public-link-client.ts';
import type { LinkAddress } from './public-link.ts';

interface Opened {
  title: string;
  expire_time: number;
}

/** An entry of a list: a folder or note of a notebook, or a folder or item (a document or file) of a knowledge base. */
interface Entry {
  id: string;
  title: string;
  isFolder: boolean;
}

/** The page of a public link to a note, a notebook or a knowledge base. */
export function PublicTextPage({ link }: { link: LinkAddress }): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const opened = useQuery({
    queryKey: ['public', link.secret],
    queryFn: ({ signal }) => readLink<Opened>(link, 'open', {}, signal),
    retry: false,
  });
  useDocumentTitle(opened.data?.title ?? '');
  if (opened.error && isLinkInvalid(opened.error))
    return (
      <main className="flex h-full bg-paper">
        <EmptyState icon={<Unlink />} title={text('linkEnded')}>
          {text('linkEndedHint')}
        </EmptyState>
      </main>
    );
  if (opened.error) return <ErrorState error={opened.error} retry={() => void opened.refetch()} />;
  if (!opened.data)
    return (
      <div className="h-full p-10" aria-busy>
        <SkeletonLines count={6} />
      </div>
    );
  const { title, expire_time: expireTime } = opened.data;
  return (
    <main className="flex h-full flex-col bg-paper">
      <header className="flex h-11 shrink-0 items-center gap-2 border-b border-line px-4">
        <h1 className="min-w-0 truncate font-serif text-lg font-semibold">{title}</h1>
        <span className="shrink-0 rounded-md bg-hover px-2 py-0.5 text-xs font-medium text-soft">
          {text('viewOnly')}
        </span>
        {expireTime > 0 && (
          <span className="hidden shrink-0 text-sm text-faint sm:inline">
            {text('linkEndsAt', { time: formatDateTime(expireTime, language) })}
          </span>
        )}
        <a href="/" rel="noreferrer" className="ml-auto shrink-0 text-sm text-soft hover:text-ink hover:underline">
          {text('poweredBy')}
        </a>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-[55rem] p-6">
          {link.kind === 'note' ? <Reader link={link} input={{}} /> : <Browser link={link} />}
        </div>
      </div>
    </main>
  );
}

/** Shows a notebook or knowledge base: the list of the opened folder, or the text of the opened note or item. */
function Browser({ link }: { link: LinkAddress }): ReactNode {
  const text = useTranslation();
  const [path, setPath] = useState<readonly Entry[]>([]);
  const at = path.at(-1);
  return (
    <>
      {at && (
        <Button variant="quiet" onClick={() => setPath(path.slice(0, -1))}>
          {text('back')}
        </Button>
      )}
      {at && !at.isFolder ? (
        <Reader link={link} input={link.kind === 'base' ? { media_id: at.id } : { note_id: at.id }} />
      ) : (
        <Entries key={at?.id ?? ''} link={link} folder={at?.id} open={(entry) => setPath([...path, entry])} />
      )}
    </>
  );
}

interface EntriesProps {
  link: LinkAddress;
  folder: string | undefined;
  open: (entry: Entry) => void;
}

function Entries({ link, folder, open }: EntriesProps): ReactNode {
  const text = useTranslation();
  const [cursors, setCursors] = useState<readonly string[]>(['']);
  return (
    <ul className="divide-y divide-line">
      {cursors.map((cursor, index) => (
        <EntriesPage
          key={cursor}
          link={link}
          input={{ cursor, ...(folder === undefined ? {} : { folder_id: folder }) }}
          open={open}
          after={(next) =>
            index === cursors.length - 1 && (
              <li className="py-3">
                <Button variant="quiet" onClick={() => setCursors([...cursors, next])}>
                  {text('loadMore')}
                </Button>
              </li>
            )
          }
        />
      ))}
    </ul>
  );
}

interface EntriesPageProps {
  link: LinkAddress;
  input: Record<string, unknown>;
  open: (entry: Entry) => void;
  after: (nextCursor: string) => ReactNode;
}

function EntriesPage({ link, input, open, after }: EntriesPageProps): ReactNode {
  const page = useQuery({
    queryKey: ['public', link.secret, 'list', input],
    queryFn: ({ signal }) => readEntries(link, input, signal),
    retry: false,
  });
  if (page.error) return <ErrorState error={page.error} retry={() => void page.refetch()} />;
  if (!page.data) return <SkeletonLines count={3} />;
  return (
    <>
      {page.data.entries.map((entry) => (
        <li key={entry.id}>
          <button
            type="button"
            className="flex min-h-12 w-full items-center gap-3 px-2 text-left hover:bg-hover"
            onClick={() => open(entry)}
          >
            {entry.isFolder ? <Folder size={16} aria-hidden /> : <FileText size={16} aria-hidden />}
            <span className="min-w-0 truncate">{entry.title}</span>
          </button>
        </li>
      ))}
      {page.data.next !== '' && after(page.data.next)}
    </>
  );
}

function Reader({ link, input }: { link: LinkAddress; input: Record<string, unknown> }): ReactNode {
  const read = useQuery({
    queryKey: ['public', link.secret, 'read', input],
    queryFn: ({ signal }) => readLink<{ content: string }>(link, 'read', input, signal),
    retry: false,
  });
  if (read.error) return <ErrorState error={read.error} retry={() => void read.refetch()} />;
  if (!read.data) return <SkeletonLines count={8} className="h-5" />;
  const { content } = read.data;
  const rendered = link.kind === 'base' ? undefined : renderMarkdown(content);
  return rendered === undefined ? (
    <div className="prose whitespace-pre-wrap break-words">{content}</div>
  ) : (
    <InternalLinksContext value={false}>
      <article className="prose">{rendered}</article>
    </InternalLinksContext>
  );
}

function readLink<Answer>(
  { kind, secret }: LinkAddress,
  read: string,
  input: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Answer> {
  return callWithLink(secret, read, input, signal, kind === 'base' ? 'wiki' : 'note');
}

interface NotebookList {
  notebooks: { folder_id: string; name: string }[];
  notes: { note_id: string; title: string }[];
  next_cursor: string;
}

interface BaseList {
  entries: { kind: 'folder' | 'item'; id: string; title: string }[];
  next_cursor: string;
}

async function readEntries(
  link: LinkAddress,
  input: Record<string, unknown>,
  signal: AbortSignal,
): Promise<{ entries: Entry[]; next: string }> {
  if (link.kind === 'base') {
    const { entries, next_cursor: next } = await readLink<BaseList>(link, 'list', input, signal);
    return { entries: entries.map(({ kind, id, title }) => ({ id, title, isFolder: kind === 'folder' })), next };
  }
  const { notebooks, notes, next_cursor: next } = await readLink<NotebookList>(link, 'list', input, signal);
  const folders = input['cursor'] === '' ? notebooks : [];
  return {
    entries: [
      ...folders.map(({ folder_id: id, name }) => ({ id, title: name, isFolder: true })),
      ...notes.map(({ note_id: id, title }) => ({ id, title, isFolder: false })),
    ],
    next,
  };
}
