import { MessageSquare } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { isMac } from '../../lib/keyboard-shortcuts.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/button.tsx';
import { Store, useStore } from '../../ui/store.ts';
import { selectedQuote, type SelectedQuote } from './selected-quote.ts';

/** Whether the comments of notes are shown; `writing` also begins a comment on the selected text. */
export const commentsView = new Store<'closed' | 'open' | 'writing'>('closed');

/**
 * Text that was selected when a comment was begun. It is kept here, because the selection may be gone when the comments
 * are loaded.
 */
export const begunQuote = new Store<SelectedQuote | undefined>(undefined);

/** Opens and closes the comments beside the note. Ctrl+Alt+M (Cmd+Option+M) begins a comment. */
export function CommentsToggle(): ReactNode {
  const text = useTranslation();
  const isOpen = useStore(commentsView) !== 'closed';
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      if (!(isMac ? event.metaKey : event.ctrlKey) || !event.altKey || event.code !== 'KeyM') return;
      event.preventDefault();
      const main = document.querySelector<HTMLElement>('#main');
      begunQuote.set(main ? selectedQuote(main) : undefined);
      commentsView.set('writing');
    };
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
  return (
    <IconButton
      label={text('noteComments')}
      aria-expanded={isOpen}
      // Keep the selection that a comment may be about.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => commentsView.set(isOpen ? 'closed' : 'open')}
    >
      <MessageSquare size={17} />
    </IconButton>
  );
}
