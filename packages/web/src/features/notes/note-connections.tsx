import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CornerDownRight, ListTodo, Plus, Tag, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { queryClient, sheaf } from '../../lib/api-client.ts';
import { plainExcerpt } from '../../lib/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/button.tsx';
import { lazyComponent } from '../../ui/lazy.tsx';
import { promptText } from '../../ui/prompt-dialog.tsx';
import { showErrorToast } from '../../ui/toast.tsx';

const TasksDialog = lazyComponent(async () => (await import('./tasks-dialog.tsx')).TasksDialog);

const maxShown = 20;

function connectionsQuery(id: string) {
  return {
    queryKey: ['notes', 'connections', id],
    queryFn: async () => {
      const [{ links }, { notes }, { total }] = await Promise.all([
        sheaf.note.backlinks({ id, limit: maxShown }),
        sheaf.note.read_note({ note_id: id, max_tokens: 1, outline: false, tags: true }),
        sheaf.note.list_tasks({ note_id: id, limit: 1 }),
      ]);
      const linking = new Map(links.filter((link) => link.note_id !== id).map((link) => [link.note_id, link]));
      return { links: [...linking.values()], tags: notes[0]?.tags ?? [], tasks: total };
    },
    staleTime: 10_000,
  };
}

/** Shows a note's tags, its open tasks and the notes that link to it, with the sentences that contain the links. */
export function NoteConnections({ id, mayEdit }: { id: string; mayEdit: boolean }): ReactNode {
  const text = useTranslation();
  const found = useQuery(connectionsQuery(id));
  const [isListing, setListing] = useState(false);
  if (found.data === undefined) return null;
  const { links, tags, tasks } = found.data;
  if (!mayEdit && links.length === 0 && tags.length === 0 && tasks === 0) return null;
  return (
    <div className="scroll-thin max-h-40 shrink-0 overflow-y-auto border-t border-line px-4 py-1.5 text-sm">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <NoteTags id={id} tags={tags} mayEdit={mayEdit} />
        {tasks > 0 && (
          <button
            type="button"
            onClick={() => setListing(true)}
            className="flex h-7 items-center gap-1.5 rounded-lg px-1.5 text-soft hover:bg-hover hover:text-ink"
          >
            <ListTodo size={14} aria-hidden /> {text('openTasks', { count: tasks })}
          </button>
        )}
      </div>
      {links.length > 0 && (
        <nav aria-label={text('linkedFrom')} className="pt-0.5">
          <h2 className="flex items-center gap-1.5 text-faint">
            <CornerDownRight size={14} aria-hidden /> {text('linkedFrom')}
          </h2>
          <ul>
            {links.map((link) => (
              <li key={link.note_id} className="flex min-w-0 items-baseline gap-2 py-0.5">
                <Link
                  to="/notes/$id"
                  params={{ id: link.note_id }}
                  className="max-w-60 shrink-0 truncate font-medium text-accent hover:underline"
                >
                  {link.title === '' ? text('untitled') : link.title}
                </Link>
                <span className="min-w-0 truncate text-soft">{plainExcerpt(link.sentence)}</span>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {isListing && <TasksDialog note={id} onClose={() => setListing(false)} />}
    </div>
  );
}

interface NoteTagsProps {
  id: string;
  tags: readonly { tag: string; in_text: boolean }[];
  mayEdit: boolean;
}

/**
 * The tags of a note. Only a tag that was added outside the text has a button that removes it; a tag in the text is
 * removed by editing the text.
 */
function NoteTags({ id, tags, mayEdit }: NoteTagsProps): ReactNode {
  const text = useTranslation();
  const change = async (by: { add?: string[]; remove?: string[] }): Promise<void> => {
    await sheaf.note.tag_note({ note_id: id, ...by });
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: ['notes', 'connections', id] }),
      queryClient.invalidateQueries({ queryKey: ['note-tags'] }),
    ]);
  };
  const add = async (): Promise<void> => {
    const tag = await promptText({ title: text('addTag'), label: text('tagName'), action: text('add') });
    if (tag !== undefined) await change({ add: [tag] });
  };
  return (
    <ul aria-label={text('noteTags')} className="flex flex-wrap items-center gap-1.5 text-soft">
      {tags.map(({ tag, in_text: isInText }) => (
        <li key={tag} className="flex h-6 items-center rounded-full bg-hover pl-2.5">
          <Link to="/notes" search={{ tag }} className={`hover:text-ink ${isInText || !mayEdit ? 'pr-2.5' : ''}`}>
            #{tag}
          </Link>
          {!isInText && mayEdit && (
            <IconButton
              label={text('removeTag', { tag })}
              className="size-6"
              onClick={() => change({ remove: [tag] }).catch(showErrorToast)}
            >
              <X size={12} />
            </IconButton>
          )}
        </li>
      ))}
      {mayEdit && (
        <li>
          <button
            type="button"
            aria-label={text('addTag')}
            onClick={() => add().catch(showErrorToast)}
            className="flex h-7 items-center gap-1 rounded-lg px-1.5 text-soft hover:bg-hover hover:text-ink"
          >
            <Tag size={14} aria-hidden />
            <Plus size={12} aria-hidden />
          </button>
        </li>
      )}
    </ul>
  );
}
