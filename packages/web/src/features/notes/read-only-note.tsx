import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { ArrowLeft, Download, Lock } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { isNotFound, queryClient, sheaf } from '../../lib/api-client.ts';
import { downloadFile } from '../../lib/download.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/button.tsx';
import { useDocumentTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/status-placeholders.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { CommentsToggle } from '../comments/comments-toggle.tsx';
import { MarkdownOrSource } from './markdown-or-source.tsx';
import { NoteConnections } from './note-connections.tsx';
import { LinkTargetsContext, useLinkTargets } from './link-targets.ts';
import { noteVersionQuery, type StoredNoteText } from './queries.ts';
import { useCanRender } from './render-check.ts';
import { renderMarkdown } from './render-markdown.tsx';

/** Polling interval for new versions in milliseconds, in case the event stream misses a version. */
const pollMs = 10_000;

/** Shows a shared note that the user may read or comment on, but not edit. Updates when the text changes. */
export function ReadOnlyNote({ id, note }: { id: string; note: StoredNoteText }): ReactNode {
  const text = useTranslation();
  const { folder, q } = useSearch({ strict: false }) as { folder?: string; q?: string };
  const history = useQuery({ ...noteVersionQuery(id), refetchInterval: pollMs });
  const links = useLinkTargets(id);
  const newest = history.data?.version ?? 0;
  useEffect(() => {
    if (newest > note.version) void queryClient.invalidateQueries({ queryKey: ['note', id] });
  }, [newest, note.version, id]);
  const name = note.title === '' ? text('untitled') : note.title;
  useDocumentTitle(name);
  const save = async (): Promise<void> => {
    const file = await sheaf.note.export_note({ note_id: id, format: 'markdown' });
    downloadFile(file.file_name, file.content_type, file.content, file.encoding);
  };
  if (isNotFound(history.error)) return <EmptyState icon={<Lock />} title={text('accessEnded')} />;
  return (
    <>
      <header className="flex min-h-13 shrink-0 items-center gap-1 border-b border-line px-2 md:px-4">
        <Link
          to="/notes"
          search={{ folder, q }}
          aria-label={text('back')}
          className="flex size-10 items-center justify-center rounded-lg text-soft hover:bg-hover lg:hidden"
        >
          <ArrowLeft size={18} />
        </Link>
        <span className="min-w-0 flex-1 truncate pl-2 font-medium">{name}</span>
        <span className="shrink-0 truncate text-sm text-faint">
          {text('viewOnly')} · {text('sharedBy', { name: note.author_name ?? '' })}
        </span>
        <CommentsToggle />
        <IconButton label={text('exportMarkdown')} onClick={() => save().catch(showErrorToast)}>
          <Download size={16} />
        </IconButton>
      </header>
      <div
        className="scroll-thin min-h-0 flex-1 overflow-y-auto"
        tabIndex={0}
        role="region"
        aria-label={text('noteText')}
      >
        <article className="prose mx-auto max-w-3xl px-5 py-8 whitespace-pre-wrap md:px-10">
          <LinkTargetsContext value={links}>
            <NoteReading key={note.version} text={note.content} />
          </LinkTargetsContext>
        </article>
      </div>
      <NoteConnections id={id} mayEdit={false} />
    </>
  );
}

/** Renders Markdown without the editor if possible, because loading the editor's code takes much longer. */
function NoteReading({ text: markdown }: { text: string }): ReactNode {
  const isReadable = useCanRender(markdown);
  const rendered = isReadable ? renderMarkdown(markdown) : undefined;
  return rendered ?? <MarkdownOrSource text={markdown} />;
}
