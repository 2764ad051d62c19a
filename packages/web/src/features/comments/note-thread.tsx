import { Check, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { sheaf } from '../../lib/api-client.ts';
import { formatDateTime, formatTimeAgo } from '../../lib/format.ts';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { MentionField } from './mention-field.tsx';
import { refreshNoteComments, type NoteThreadInfo } from './queries.ts';

type Entry = NoteThreadInfo['entries'][number];

interface NoteThreadProps {
  noteId: string;
  thread: NoteThreadInfo;
  mayComment: boolean;
  isActive: boolean;
  onShow: () => void;
  onSay: (input: { text: string; comment_id: string; entry_id?: string }) => Promise<void>;
}

export function NoteThread({ noteId, thread, mayComment, isActive, onShow, onSay }: NoteThreadProps): ReactNode {
  const text = useTranslation();
  const { comment_id: threadId, quote, place, resolved } = thread;
  const resolve = async (): Promise<void> => {
    await sheaf.note.comment_note({ note_id: noteId, comment_id: threadId, resolved: !resolved });
    await refreshNoteComments(noteId);
  };
  return (
    <li
      aria-current={isActive}
      className={`flex flex-col gap-2 rounded-xl border bg-raised p-3 text-sm ${isActive ? 'border-accent' : 'border-line'}`}
    >
      {place === 'note' ? (
        <span className="text-soft">{text('aboutWholeNote')}</span>
      ) : (
        <button
          type="button"
          disabled={place === 'gone'}
          aria-label={text('showPlace', { quote })}
          onClick={onShow}
          className="line-clamp-3 border-l-2 border-mark pl-2 text-left break-words text-soft enabled:hover:text-ink disabled:line-through"
        >
          {quote}
        </button>
      )}
      {place === 'changed' && <p className="text-xs text-faint">{text('quoteChanged')}</p>}
      {place === 'gone' && <p className="text-xs text-warn">{text('quoteGone')}</p>}
      <ol className="flex flex-col gap-2.5">
        {thread.entries.map((entry) => (
          <ThreadEntry key={entry.entry_id} noteId={noteId} threadId={threadId} entry={entry} onSay={onSay} />
        ))}
      </ol>
      {resolved && <p className="text-faint">{text('isResolved')}</p>}
      {mayComment && (
        <>
          {!resolved && (
            <MentionField
              about={{ kind: 'note', id: noteId }}
              label={text('sayReply')}
              action={text('sendReply')}
              onSend={(said) => onSay({ text: said, comment_id: threadId })}
            />
          )}
          <Button
            variant="quiet"
            className="h-7 self-start text-sm"
            onClick={() => void resolve().catch(showErrorToast)}
          >
            {resolved ? <RotateCcw size={13} /> : <Check size={13} />}
            {text(resolved ? 'reopenThread' : 'resolveThread')}
          </Button>
        </>
      )}
    </li>
  );
}

interface ThreadEntryProps {
  noteId: string;
  threadId: string;
  entry: Entry;
  onSay: NoteThreadProps['onSay'];
}

function ThreadEntry({ noteId, threadId, entry, onSay }: ThreadEntryProps): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const [isEditing, setEditing] = useState(false);
  const { entry_id: entryId, author, time, edited, text: said } = entry;
  const remove = async (): Promise<void> => {
    await sheaf.note.delete_note_comment({ note_id: noteId, comment_id: threadId, entry_id: entryId });
    await refreshNoteComments(noteId);
  };
  return (
    <li className="group flex flex-col gap-0.5">
      <span className="flex items-center gap-2">
        <span className="truncate font-medium">{author.name === '' ? text('deletedUser') : author.name}</span>
        <time
          className="shrink-0 text-xs text-faint"
          dateTime={new Date(time).toISOString()}
          title={formatDateTime(time, language)}
        >
          {formatTimeAgo(time, language)}
          {edited && ` · ${text('wasEdited')}`}
        </time>
        <span className="ml-auto flex">
          {entry.may_edit && (
            <IconButton label={text('editComment')} className="size-6" onClick={() => setEditing(true)}>
              <Pencil size={12} />
            </IconButton>
          )}
          {entry.may_delete && (
            <IconButton
              label={text('deleteComment')}
              className="size-6"
              onClick={() => void remove().catch(showErrorToast)}
            >
              <Trash2 size={12} />
            </IconButton>
          )}
        </span>
      </span>
      {isEditing ? (
        <MentionField
          about={{ kind: 'note', id: noteId }}
          label={text('editComment')}
          action={text('save')}
          initial={said}
          takesFocus
          onSend={async (now) => {
            await onSay({ text: now, comment_id: threadId, entry_id: entryId });
            setEditing(false);
          }}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <span className="break-words whitespace-pre-wrap">{said}</span>
      )}
    </li>
  );
}
