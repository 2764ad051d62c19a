import { Check, RotateCcw, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatDateTime, formatTimeAgo } from '../../../../lib/format.ts';
import { useCurrentUser } from '../../../../shell/current-user.ts';
import { useLanguage, useTranslation } from '../../../../i18n/use-translation.ts';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { showErrorToast } from '../../../../ui/toast.tsx';
import { MentionField } from '../../../comments/mention-field.tsx';
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
          <CommentEntry
            key={entry.entry_id}
            entry={entry}
            onDelete={() => run(session.write('set_comment', { ...on, entry_id: entry.entry_id, delete: true }))}
          />
        ))}
      </ol>
      {thread.resolved && <p className="text-sm text-faint">{text('resolved')}</p>}
      {session.mayWrite && (
        <>
          {!thread.resolved && (
            <MentionField
              about={{ kind: 'sheet', id: session.fileId }}
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

function CommentEntry({ entry, onDelete }: { entry: Entry; onDelete: () => void }): ReactNode {
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
        {entry.author === me?.user_id && session.mayWrite && (
          <IconButton label={text('deleteComment')} className="ml-auto size-6" onClick={onDelete}>
            <Trash2 size={12} />
          </IconButton>
        )}
      </span>
      <span className="break-words whitespace-pre-wrap">{entry.text}</span>
    </li>
  );
}
