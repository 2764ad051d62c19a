import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { useText } from '../text/use-text.ts';
import { useStore } from '../ui/store.ts';
import { noteIdNow } from './made-notes.ts';
import { begun, compose, leaveNote, typeInto, typedInField } from './new-note.ts';

/**
 * A text field for a new note that accepts typing at once, while the page is still loading. It overlays the page, has
 * the focus, and disappears when the editor takes over its text.
 */
export function PlainField(): ReactNode {
  const id = useStore(begun)?.id;
  return id === undefined ? null : <Field key={id} id={id} />;
}

function Field({ id }: { id: string }): ReactNode {
  const text = useText();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useLeaving(id, path);
  return (
    <div
      className={
        'late-in absolute inset-0 z-20 flex flex-col overflow-y-auto bg-paper pt-24 ' +
        (path.startsWith('/notes') ? 'lg:left-80' : '')
      }
    >
      <textarea
        ref={typeInto}
        autoFocus
        aria-label={text('noteText')}
        placeholder={text('untitled')}
        onChange={(event) => typedInField(event.target.value)}
        onCompositionStart={() => compose(true)}
        onCompositionEnd={() => compose(false)}
        className="prose mx-auto w-full max-w-3xl flex-1 resize-none bg-transparent px-5 py-8 outline-none md:px-10"
      />
    </div>
  );
}

function useLeaving(id: string, path: string): void {
  const began = useRef(path);
  const wasThere = useRef(false);
  useEffect(() => {
    if (path === `/notes/${id}` || path === `/notes/${noteIdNow(id)}`) wasThere.current = true;
    else if (wasThere.current || path !== began.current) leaveNote();
  }, [id, path]);
}
