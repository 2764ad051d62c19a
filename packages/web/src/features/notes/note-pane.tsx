import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeft, CloudOff, Ellipsis, X } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type ComponentProps, type ReactNode } from 'react';
import { isNotFound, isRetryable, queryClient } from '../../lib/api-client.ts';
import { isLocalNoteId } from '../../lib/prefetch.ts';
import { RetryTimer } from '../../lib/retry-timer.ts';
import { LazyNotFound } from '../../shell/lazy-not-found.ts';
import { useTranslation, withCommentTexts } from '../../i18n/use-translation.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ViewSwitch } from '../../ui/form-fields.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useDocumentTitle } from '../../ui/page-layout.tsx';
import { ErrorState, SkeletonLines } from '../../ui/status-placeholders.tsx';
import { useStore } from '../../ui/store.ts';
import { showToast } from '../../ui/toast.tsx';
import { CommentsToggle } from '../comments/comments-toggle.tsx';
import { Autosave, type SaveState } from './autosave.ts';
import type { PendingCreation } from './draft-storage.ts';
import { stableNoteKey } from './note-ids.ts';
import { newNote, transferTyping, localNoteDraft } from './new-note-draft.ts';
import { NoteText, type FallbackReason } from './note-text.tsx';
import { noteQuery, noteVersionQuery, refreshNotes } from './queries.ts';
import { canRender, useCanRender } from './render-check.ts';
import type { EditorHandle } from './rich-editor.tsx';
import type { MarkdownSelection } from './markdown-selection.ts';
import { LinkTargetsContext, useLinkTargets } from './link-targets.ts';
import { useNoteActions } from './note-actions.tsx';
import { lazyComponent } from '../../ui/lazy.tsx';

// These components are loaded on demand, so that the rich text editor appears sooner. Most notes need none of them,
// except the connections (tags, tasks and links) below the text.
const MarkdownOrSource = lazyComponent(async () => (await import('./markdown-or-source.tsx')).MarkdownOrSource);
const SourceEditor = lazyComponent(async () => (await import('./source-editor.tsx')).SourceEditor);
const ReadOnlyNote = lazyComponent(async () => (await import('./read-only-note.tsx')).ReadOnlyNote);
const PeopleInNote = lazyComponent(async () => (await import('./people-in-note.tsx')).PeopleInNote);
const SuggestionsPanel = lazyComponent(
  async () => (await withCommentTexts(import('./suggestions-panel.tsx'))).SuggestionsPanel,
);
const NoteConnections = lazyComponent(async () => (await import('./note-connections.tsx')).NoteConnections);

/** Polling interval for new versions in milliseconds, in case the event stream misses a version. */
const pollMs = 10_000;

export function NotePane({ id }: { id: string }): ReactNode {
  // Read the draft only once. When the server assigns the final id of a note that was created in this browser, a second
  // read might find no draft, and another component would replace the open editor.
  const [draft] = useState(() => localNoteDraft(id));
  if (!draft) return <StoredNote id={id} />;
  return <OpenNote id={id} text={draft.base} version={draft.baseVersion} unmade={draft.unmade} title="" isOwn />;
}

function StoredNote({ id }: { id: string }): ReactNode {
  const stored = useQuery(noteQuery(id));
  // Remove the cached text when the user leaves the note, because it does not contain later edits.
  useEffect(() => () => queryClient.removeQueries({ queryKey: ['note', id] }), [id]);
  if (stored.isPending) {
    return (
      <div className="mx-auto w-full max-w-3xl px-10 py-16">
        <SkeletonLines count={5} className="h-6" />
      </div>
    );
  }
  if (isNotFound(stored.error)) return <LazyNotFound what="note" isPage={false} />;
  if (!stored.data) return <ErrorState error={stored.error} retry={() => void stored.refetch()} />;
  const { content, version, title, role } = stored.data;
  if (role === 'read' || role === 'comment') return <ReadOnlyNote key={id} id={id} note={stored.data} />;
  return <OpenNote id={id} text={content} version={version} title={title} isOwn={role === undefined} />;
}

interface OpenNoteProps {
  id: string;
  text: string;
  version: number;
  title: string;
  /** False for a note of another user. The user may edit such a note, but not move, share or delete it. */
  isOwn: boolean;
  unmade?: PendingCreation | undefined;
}

function OpenNote({ id, text: stored, version, title, isOwn, unmade }: OpenNoteProps): ReactNode {
  const text = useTranslation();
  const navigate = useNavigate();
  const { folder, q } = useSearch({ strict: false }) as { folder?: string; q?: string };
  const [mode, setMode] = useState<'rich' | 'source'>('rich');
  const [isUnfit, setUnfit] = useState(false);
  const [isTwice, setTwice] = useState(false);
  const editor = useRef<EditorHandle>(null);
  /**
   * Number of times that the displayed text was replaced by a text that the user did not type. Used as a React key that
   * remounts the read-only view.
   */
  const [shown, setShown] = useState(0);
  const notify = useRef(text);
  notify.current = text;
  /**
   * Selection in the rich editor at the moment when it was replaced by the Markdown source. The source editor restores
   * it.
   */
  const wasAt = useRef<MarkdownSelection>(undefined);
  const unfit = useCallback((why: FallbackReason = 'openedAsSource') => {
    wasAt.current = document.activeElement?.closest('.prose') ? editor.current?.selection?.() : undefined;
    setUnfit(true);
    setMode('source');
    showToast(notify.current(why));
  }, []);

  const [save] = useState(
    () =>
      new Autosave(
        id,
        { text: stored, version, unmade },
        {
          isReadable: canRender,
          show(now, why, isReadableNow, by) {
            if (!isReadableNow) unfit('tooInvolved');
            const mark = by && { who: by.operation === undefined ? by.user_id : by.key_id, label: by.name };
            const isTogether = why === 'together';
            if (isReadableNow && editor.current?.show(now, { mark, mayWait: isTogether }) === false) return false;
            setShown((count) => count + 1);
            if (isTogether) return true;
            if (why === 'both') setTwice(true);
            else if (why !== 'restored') showToast(notify.current(why === 'merged' ? 'noteMerged' : 'noteUpdated'));
            void refreshNotes();
            return true;
          },
          onCreated(to) {
            // Skip the redirect to the server's id if the user has left the note in the meantime.
            if (location.pathname !== `/notes/${id}`) return;
            void navigate({ to: '/notes/$id', params: { id: to }, search: true, replace: true, resetScroll: false });
          },
        },
      ),
  );
  useState(() => save.resume());
  const state = useStore(save.state);
  const people = useStore(save.people);
  useEffect(() => editor.current?.showPeople?.(people), [people]);
  const { name, suggestionCount } = useNewestVersion(id, title);
  const [isReviewing, setReviewing] = useState(false);
  // Keep the suggestions panel open after the user has accepted or refused the last suggestion, because the panel may
  // still be waiting for the server's response.
  const hasSuggestions = useRef(false);
  hasSuggestions.current ||= isReviewing || suggestionCount > 0;
  useDocumentTitle(name);
  useSaving(id, save, state);
  useRemoteChanges(id, save);
  const links = useLinkTargets(id);
  const actions = useNoteActions(id, name, save, { isOwn, onSuggestions: () => setReviewing(true) });
  // `isNew` makes the editor select the whole title. It depends on the current text, so that a remounted editor does
  // not select text that the user has written.
  const isBegun = useTransferredTyping(stableNoteKey(id), save);
  const isNew = isBegun || (version === 1 && save.text.trim() === `# ${text('untitled')}`);

  return (
    <LinkTargetsContext value={links}>
      <header className="flex min-h-13 shrink-0 items-center gap-1 border-b border-line px-2 md:px-4">
        <Link
          to="/notes"
          search={{ folder, q }}
          aria-label={text('back')}
          className="flex size-10 items-center justify-center rounded-lg text-soft hover:bg-hover lg:hidden"
        >
          <ArrowLeft size={18} />
        </Link>
        <span className="min-w-0 flex-1 truncate pl-2 font-medium">{name === '' ? text('untitled') : name}</span>
        {people.length > 0 && <PeopleInNote people={people} />}
        <SaveStatus state={state} retry={() => void save.flush()} />
        <ViewSwitch<typeof mode>
          label={text('view')}
          value={mode}
          options={[
            ['rich', text('richText')],
            ['source', text('markdown')],
          ]}
          onChange={setMode}
          className="ml-2 hidden sm:flex"
        />
        {!isLocalNoteId(id) && <CommentsToggle />}
        <Menu
          trigger={
            <IconButton label={text('actionsFor', { name })} disabled={isLocalNoteId(id)}>
              <Ellipsis size={18} />
            </IconButton>
          }
          entries={actions.entries}
        />
      </header>
      {isTwice && <ConflictNotice onHistory={actions.openHistory} onClose={() => setTwice(false)} />}
      {hasSuggestions.current && (
        <SuggestionsPanel id={id} save={save} editor={editor} isOpen={isReviewing} onToggle={setReviewing} />
      )}
      {mode === 'rich' ? (
        isUnfit ? (
          <div className="scroll-thin min-h-0 flex-1 overflow-y-auto">
            <div className="mx-auto max-w-3xl px-5 py-8 md:px-10">
              <p className="pb-6 text-sm text-warn">{text('onlyToRead')}</p>
              <MarkdownOrSource key={shown} text={save.text} />
            </div>
          </div>
        ) : (
          <CheckedNoteText
            ref={editor}
            text={isBegun ? stored : save.text}
            isNew={isNew}
            onChange={(now) => save.change(now, true)}
            onCursor={(cursor) => save.setCursor(cursor)}
            onUnfit={unfit}
            onReady={(take) => transferTyping(stableNoteKey(id), take)}
          />
        )
      ) : (
        <SourceEditor ref={editor} initial={save.text} selection={wasAt.current} onChange={(now) => save.change(now)} />
      )}
      {!isLocalNoteId(id) && <NoteConnections id={id} mayEdit />}
      {actions.dialogs}
    </LinkTargetsContext>
  );
}

/**
 * Notice that two people changed the same lines and that the text contains both variants. It does not take the focus.
 */
function ConflictNotice({ onHistory, onClose }: { onHistory: () => void; onClose: () => void }): ReactNode {
  const text = useTranslation();
  return (
    <div role="status" className="flex shrink-0 items-center gap-2 bg-warn-soft py-1 pr-2 pl-4 text-sm text-warn">
      <span className="min-w-0 flex-1">{text('bothKept')}</span>
      <Button variant="quiet" className="h-8" onClick={onHistory}>
        {text('versions')}
      </Button>
      <IconButton label={text('close')} onClick={onClose}>
        <X size={16} />
      </IconButton>
    </div>
  );
}

/**
 * Saves text that the user types into a new note while its editor is loading. Returns true until the editor takes over.
 */
function useTransferredTyping(id: string, save: Autosave): boolean {
  const open = useStore(newNote);
  const typed = open?.id === id ? open.draft.text : undefined;
  useEffect(() => {
    if (typed !== undefined && typed !== save.text) save.change(typed);
  }, [typed, save]);
  return typed !== undefined;
}

/** Shows the note. Asks the parent to open it as Markdown source if rendering it would block the page. */
function CheckedNoteText(props: ComponentProps<typeof NoteText>): ReactNode {
  const [text] = useState(props.text);
  const isReadable = useCanRender(text);
  const { onUnfit } = props;
  useEffect(() => {
    if (isReadable === false) onUnfit('tooInvolved');
  }, [isReadable, onUnfit]);
  if (isReadable) return <NoteText {...props} />;
  return (
    <div className="mx-auto w-full max-w-3xl px-10 py-16" aria-busy>
      <SkeletonLines count={5} className="h-6" />
    </div>
  );
}

/**
 * Returns the current title and the number of open suggestions of a note. They are polled and also fetched after each
 * save, because the server derives the title from the text. `title` is returned until the first response.
 */
function useNewestVersion(id: string, title: string): { name: string; suggestionCount: number } {
  const history = useQuery({ ...noteVersionQuery(id), refetchInterval: pollMs, enabled: !isLocalNoteId(id) });
  return { name: history.data?.versions[0]?.title ?? title, suggestionCount: history.data?.open_suggestions ?? 0 };
}

/**
 * Refreshes the note list and the note's version after each save. Saves unsaved text when the user leaves the note or
 * the browser tab.
 */
function useSaving(id: string, save: Autosave, state: SaveState): void {
  const kind = state.kind;
  const wasSaved = useRef(true);
  useEffect(() => {
    const isNews = kind === 'saved' && !wasSaved.current;
    wasSaved.current = kind === 'saved';
    if (!isNews) return;
    void refreshNotes();
    void queryClient.invalidateQueries({ queryKey: ['note-version', id] });
  }, [kind, id]);
  useEffect(() => {
    const flush = (): void => void save.flush();
    const hidden = (): void => {
      if (document.visibilityState === 'hidden') flush();
    };
    const leaving = (event: BeforeUnloadEvent): void => {
      if (save.isDirty) {
        flush();
        event.preventDefault();
      }
    };
    window.addEventListener('beforeunload', leaving);
    document.addEventListener('visibilitychange', hidden);
    return () => {
      window.removeEventListener('beforeunload', leaving);
      document.removeEventListener('visibilitychange', hidden);
      save.stop();
    };
  }, [save]);
}

function useRemoteChanges(id: string, save: Autosave): void {
  const history = useQuery({ ...noteVersionQuery(id), refetchInterval: pollMs, enabled: !isLocalNoteId(id) });
  const newest = history.data?.version ?? 0;
  useEffect(() => {
    let isNeeded = true;
    const retry = new RetryTimer(() => read());
    const read = (): void =>
      void save.onRemoteVersion(newest).catch((error: unknown) => {
        if (!isNeeded) return;
        console.info('news of the note', error);
        if (isRetryable(error)) retry.schedule();
        else void queryClient.invalidateQueries({ queryKey: ['note-version', id] });
      });
    read();
    return () => {
      isNeeded = false;
      retry.cancel();
    };
  }, [newest, save, id]);
}

function SaveStatus({ state, retry }: { state: SaveState; retry: () => void }): ReactNode {
  const text = useTranslation();
  const words = {
    saved: text('saved'),
    typing: text('saving'),
    saving: text('saving'),
    empty: text('emptyNotSaved'),
    offline: text(state.kind === 'offline' && !state.isKept ? 'offlineNotKept' : 'offline'),
    failed: text('notSaved'),
  }[state.kind];
  const bad = state.kind === 'offline' || state.kind === 'failed' || state.kind === 'empty';
  return (
    <span
      role="status"
      className={`flex shrink-0 items-center gap-1.5 text-sm ${bad ? 'text-warn' : 'text-faint'}`}
      title={state.kind === 'failed' ? state.message : undefined}
    >
      {state.kind === 'offline' && <CloudOff size={14} />}
      {words}
      {state.kind === 'failed' && (
        <Button variant="quiet" className="h-7" onClick={retry}>
          {text('tryAgain')}
        </Button>
      )}
    </span>
  );
}
