import { Check, RotateCcw, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { formatDateTime, formatTimeAgo } from '../../../../lib/format.ts';
import { useCurrentUser } from '../../../../shell/current-user.ts';
import { useLanguage, useTranslation } from '../../../../i18n/use-translation.ts';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { TextArea } from '../../../../ui/form-fields.tsx';
import { showErrorToast } from '../../../../ui/toast.tsx';
import { useSession, useSheet, type ToolOutput } from '../../sheet-session.ts';
import { userColor } from '../../user-color.ts';
import { refetchTool } from '../live-query.ts';

export type CommentThread = NonNullable<ToolOutput<'list_objects'>['comments']>[number];
type Entry = CommentThread['entries'][number];

export function CommentThreadView({ thread, onGone }: { thread: CommentThread; onGone?: () => void }): ReactNode {
  const { session, text } = useSheet();
  const run = (work: Promise<unknown>): void =>
    void work.then(() => refetchTool(session, 'list_objects')).catch(showErrorToast);
  const on = { sheet_id: thread.sheet_id, comment_id: thread.comment_id };
  return (
    <div className="flex flex-col gap-2">
      <ol className="flex flex-col gap-2.5">
        {thread.entries.map((entry) => (
          <CommentEntry key={entry.entry_id} entry={entry} />
        ))}
      </ol>
      {thread.resolved && <p className="text-sm text-faint">{text('resolved')}</p>}
      {session.mayWrite && (
        <>
          {!thread.resolved && (
            <CommentField
              label={text('writeReply')}
              action={text('reply')}
              onSend={async (said) => {
                await session.write('set_comment', { ...on, text: said });
                await refetchTool(session, 'list_objects');
              }}
            />
          )}
          <div className="flex gap-1">
            <Button
              variant="quiet"
              className="h-7 text-sm"
              onClick={() => run(session.write('set_comment', { ...on, resolved: !thread.resolved }))}
            >
              {thread.resolved ? <RotateCcw size={13} /> : <Check size={13} />}
              {text(thread.resolved ? 'reopen' : 'resolve')}
            </Button>
            <IconButton
              label={text('deleteThread')}
              className="ml-auto size-7"
              onClick={() => {
                onGone?.();
                run(
                  session.write('delete_object', {
                    object_type: 'comment',
                    object_id: thread.comment_id,
                    sheet_id: thread.sheet_id,
                  }),
                );
              }}
            >
              <Trash2 size={14} />
            </IconButton>
          </div>
        </>
      )}
    </div>
  );
}

function CommentEntry({ entry }: { entry: Entry }): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const session = useSession();
  const me = useCurrentUser();
  const name =
    entry.author === me?.user_id
      ? text('youName')
      : session.nameOf({ userId: entry.author, keyId: '' }) ||
        (entry.author.startsWith('user_') ? text('someone') : entry.author);
  return (
    <li className="flex flex-col">
      <span className="flex items-baseline gap-2">
        <span
          aria-hidden
          className="size-2 shrink-0 rounded-full"
          style={{ backgroundColor: userColor(entry.author) }}
        />
        <span className="truncate font-medium">{name}</span>
        {entry.time > 0 && (
          <time
            className="shrink-0 text-xs text-faint"
            dateTime={new Date(entry.time).toISOString()}
            title={formatDateTime(entry.time, language)}
          >
            {formatTimeAgo(entry.time, language)}
          </time>
        )}
      </span>
      <span className="break-words whitespace-pre-wrap">{entry.text}</span>
    </li>
  );
}

/** A text field for a comment. Ctrl+Enter sends it. */
export function CommentField({
  label,
  action,
  takesFocus = false,
  onSend,
  onCancel,
}: {
  label: string;
  action: string;
  takesFocus?: boolean;
  onSend: (said: string) => Promise<void>;
  onCancel?: () => void;
}): ReactNode {
  const text = useTranslation();
  const [said, setSaid] = useState('');
  const [isSending, setSending] = useState(false);
  const send = (): void => {
    if (said.trim() === '' || isSending) return;
    setSending(true);
    onSend(said.trim())
      // Clear the field only after the server has saved the comment.
      .then(() => setSaid(''), showErrorToast)
      .finally(() => setSending(false));
  };
  return (
    <form
      className="flex flex-col gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TextArea
        rows={2}
        aria-label={label}
        placeholder={label}
        value={said}
        maxLength={8000}
        autoFocus={takesFocus}
        onChange={(event) => setSaid(event.target.value)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Escape') onCancel?.();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            send();
          }
        }}
      />
      {(said !== '' || takesFocus) && (
        <div className="flex gap-1.5">
          <Button variant="primary" type="submit" className="h-7 text-sm" disabled={said.trim() === '' || isSending}>
            {action}
          </Button>
          {onCancel && (
            <Button variant="quiet" className="h-7 text-sm" onClick={onCancel}>
              {text('cancel')}
            </Button>
          )}
        </div>
      )}
    </form>
  );
}
