import { MessageSquare } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { isMac } from '../../lib/keyboard-shortcuts.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/button.tsx';
import { Store, useStore } from '../../ui/store.ts';
import { selectedQuote, type SelectedQuote } from './selected-quote.ts';

/** State of the comments beside a note. `writing` also starts a comment on the selected text. */
export const commentsView = new Store<'closed' | 'open' | 'writing'>('closed');

/**
 * Text that was selected when the user started a comment. It is stored here, because the selection may be lost before
 * the comments are loaded.
 */
export const pendingCommentQuote = new Store<SelectedQuote | undefined>(undefined);

/** Button that opens and closes the comments beside the note. Ctrl+Alt+M (Cmd+Option+M) starts a new comment. */
export function CommentsToggle(): ReactNode {
  const text = useTranslation();
  const isOpen = useStore(commentsView) !== 'closed';
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      if (!(isMac ? event.metaKey : event.ctrlKey) || !event.altKey || event.code !== 'KeyM') return;
      event.preventDefault();
      const main = document.querySelector<HTMLElement>('#main');
      pendingCommentQuote.set(main ? selectedQuote(main) : undefined);
      commentsView.set('writing');
    };
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
  return (
    <IconButton
      label={text('noteComments')}
      aria-expanded={isOpen}
      // Prevent the click from clearing the selection, because the comment may refer to the selected text.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => commentsView.set(isOpen ? 'closed' : 'open')}
    >
      <MessageSquare size={17} />
    </IconButton>
  );
}
