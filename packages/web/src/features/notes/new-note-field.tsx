import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useStore } from '../../ui/store.ts';
import { resolveNoteId } from './note-ids.ts';
import { newNote, setComposing, leaveNewNote, registerField, updateNewNoteText } from './new-note-draft.ts';

/**
 * A text field for a new note that accepts typing while the page is still loading. It covers the page and disappears
 * when the editor takes over the text.
 */
export function NewNoteField(): ReactNode {
  const id = useStore(newNote)?.id;
  return id === undefined ? null : <Field key={id} id={id} />;
}

function Field({ id }: { id: string }): ReactNode {
  const text = useTranslation();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useLeaveNewNote(id, path);
  return (
    <div
      className={
        'late-in absolute inset-0 z-20 flex flex-col overflow-y-auto bg-paper pt-24 ' +
        (path.startsWith('/notes') ? 'lg:left-80' : '')
      }
    >
      <textarea
        ref={registerField}
        autoFocus
        aria-label={text('noteText')}
        placeholder={text('untitled')}
        onChange={(event) => updateNewNoteText(event.target.value)}
        onCompositionStart={() => setComposing(true)}
        onCompositionEnd={() => setComposing(false)}
        className="prose mx-auto w-full max-w-3xl flex-1 resize-none bg-transparent px-5 py-8 outline-none md:px-10"
      />
    </div>
  );
}

function useLeaveNewNote(id: string, path: string): void {
  const began = useRef(path);
  const wasThere = useRef(false);
  useEffect(() => {
    if (path === `/notes/${id}` || path === `/notes/${resolveNoteId(id)}`) wasThere.current = true;
    else if (wasThere.current || path !== began.current) leaveNewNote();
  }, [id, path]);
}
