import { useQuery } from '@tanstack/react-query';
import { MessageSquare, MessageSquarePlus, X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { sheaf } from '../../lib/api-client.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/form-fields.tsx';
import { EmptyState, SkeletonLines, queryPlaceholder } from '../../ui/status-placeholders.tsx';
import { useStore } from '../../ui/store.ts';
import { showToast } from '../../ui/toast.tsx';
import { CommentHighlighter } from './comment-highlighter.ts';
import { pendingCommentQuote, commentsView } from './comments-toggle.tsx';
import { FollowButton } from './follow-button.tsx';
import { MentionField } from './mention-field.tsx';
import { NoteThread } from './note-thread.tsx';
import { noteCommentsQuery, refreshNoteComments } from './queries.ts';
import { selectedQuote, type SelectedQuote } from './selected-quote.ts';

interface NoteCommentsPanelProps {
  id: string;
  /** Element that contains the note. Commented texts are highlighted inside it. */
  pane: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** Shows the comments of a note beside it, in the order of the commented texts, and highlights these texts. */
export function NoteCommentsPanel({ id, pane, onClose }: NoteCommentsPanelProps): ReactNode {
  const text = useTranslation();
  const found = useQuery(noteCommentsQuery(id));
  const [isAll, setAll] = useState(false);
  const [active, setActive] = useState<string>();
  const [draft, setDraft] = useState<SelectedQuote | 'note'>();
  const highlighter = useCommentHighlighter(pane, found.data?.comments ?? [], active, setActive);
  const selected = useSelectedQuote(pane);
  const view = useStore(commentsView);
  useEffect(() => {
    if (view !== 'writing') return;
    setDraft((before) => before ?? pendingCommentQuote.get() ?? 'note');
    commentsView.set('open');
  }, [view]);
  const role = found.data?.role;
  const mayComment = role !== undefined && role !== 'read';
  const threads = (found.data?.comments ?? [])
    .filter((one) => isAll || !one.resolved)
    .toSorted((a, b) => (a.line ?? Infinity) - (b.line ?? Infinity));
  const hasResolved = found.data?.comments.some((one) => one.resolved) ?? false;
  const say = async (input: { text: string; comment_id?: string; entry_id?: string }): Promise<void> => {
    const about = input.comment_id === undefined && draft !== undefined && draft !== 'note' ? contextOf(draft) : {};
    const answer = await sheaf.note.comment_note({ note_id: id, ...about, ...input });
    if (answer.not_mentioned.length > 0)
      showToast(text('notMentioned', { names: answer.not_mentioned.map((name) => `@${name}`).join(', ') }));
    if (input.comment_id === undefined) setDraft(undefined);
    setActive(answer.comment_id);
    await refreshNoteComments(id);
  };
  return (
    <aside
      aria-label={text('noteComments')}
      className="absolute inset-y-0 right-0 z-20 flex w-full flex-col border-l border-line bg-paper sm:w-80 xl:static xl:shrink-0"
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <header className="flex items-center gap-1 py-2 pr-2 pl-4">
        <h2 className="min-w-0 flex-1 font-serif text-lg font-semibold">{text('noteComments')}</h2>
        <FollowButton kind="note" id={id} />
        <IconButton label={text('close')} onClick={onClose}>
          <X size={17} />
        </IconButton>
      </header>
      <div className="scroll-thin flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto px-4 pb-4">
        {mayComment &&
          (draft === undefined ? (
            <Button
              // Prevent the click from clearing the selection, because the comment refers to the selected text.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => setDraft(selected() ?? 'note')}
            >
              <MessageSquarePlus size={16} /> {text(selected() ? 'commentOnSelection' : 'commentOnNote')}
            </Button>
          ) : (
            <div className="flex flex-col gap-1.5 rounded-xl border border-line bg-raised p-3 text-sm">
              <span className="line-clamp-3 border-l-2 border-accent pl-2 text-soft">
                {draft === 'note' ? text('aboutWholeNote') : draft.quote}
              </span>
              <MentionField
                about={{ kind: 'note', id }}
                label={text('sayComment')}
                action={text('sendComment')}
                takesFocus
                onSend={(said) => say({ text: said })}
                onCancel={() => setDraft(undefined)}
              />
            </div>
          ))}
        {hasResolved && (
          <Checkbox
            label={text('showResolvedThreads')}
            checked={isAll}
            onChange={(event) => setAll(event.target.checked)}
          />
        )}
        {queryPlaceholder(found, <SkeletonLines count={3} />) ??
          (threads.length === 0 ? (
            draft === undefined && (
              <EmptyState icon={<MessageSquare />} title={text('noNoteComments')}>
                {text(mayComment ? 'noNoteCommentsHint' : 'noNoteCommentsToRead')}
              </EmptyState>
            )
          ) : (
            <ul aria-label={text('noteComments')} className="flex flex-col gap-2">
              {threads.map((thread) => (
                <NoteThread
                  key={thread.comment_id}
                  noteId={id}
                  thread={thread}
                  mayComment={mayComment}
                  isActive={thread.comment_id === active}
                  onShow={() => {
                    setActive(thread.comment_id);
                    highlighter.current?.scrollTo(thread.comment_id);
                  }}
                  onSay={say}
                />
              ))}
            </ul>
          ))}
      </div>
    </aside>
  );
}

function contextOf({ quote, before, after }: SelectedQuote): { quote: string; before?: string; after?: string } {
  return { quote, ...(before === '' ? {} : { before }), ...(after === '' ? {} : { after }) };
}

/** Highlights the commented texts in the note. A click on a highlighted text activates its thread. */
function useCommentHighlighter(
  pane: RefObject<HTMLElement | null>,
  threads: Parameters<CommentHighlighter['show']>[0],
  active: string | undefined,
  onChoose: (id: string) => void,
): RefObject<CommentHighlighter | undefined> {
  const highlighter = useRef<CommentHighlighter>(undefined);
  const choose = useRef(onChoose);
  choose.current = onChoose;
  useEffect(() => {
    const element = pane.current;
    if (!element) return undefined;
    const made = new CommentHighlighter(element);
    highlighter.current = made;
    const click = (): void => {
      const selection = getSelection();
      if (!selection?.anchorNode || !selection.isCollapsed || !element.contains(selection.anchorNode)) return;
      const id = made.threadAt(selection.anchorNode, selection.anchorOffset);
      if (id !== undefined) choose.current(id);
    };
    element.addEventListener('click', click);
    return () => {
      element.removeEventListener('click', click);
      made.stop();
    };
  }, [pane]);
  useEffect(() => highlighter.current?.show(threads, active), [threads, active]);
  return highlighter;
}

/** Returns a function that reads the selected text of the note. Re-renders when a selection appears or disappears. */
function useSelectedQuote(pane: RefObject<HTMLElement | null>): () => SelectedQuote | undefined {
  const [, setCount] = useState(0);
  useEffect(() => {
    let had = false;
    const listener = (): void => {
      const has = pane.current !== null && selectedQuote(pane.current) !== undefined;
      if (has !== had) setCount((count) => count + 1);
      had = has;
    };
    document.addEventListener('selectionchange', listener);
    return () => document.removeEventListener('selectionchange', listener);
  }, [pane]);
  return () => (pane.current ? selectedQuote(pane.current) : undefined);
}
