import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** Returns the id of the note that a URL points to, or undefined if the URL is not a note page of this site. */
export function noteIdIn(address: string): string | undefined {
  if (!URL.canParse(address, location.href)) return undefined;
  const { origin, pathname } = new URL(address, location.href);
  return origin === location.origin ? /^\/notes\/([\w-]+)$/.exec(pathname)?.[1] : undefined;
}

/** A link to another note. The router opens it without reloading the page. */
export function NoteLink({ id, children }: { id: string; children: ReactNode }): ReactNode {
  const navigate = useNavigate();
  return (
    <a
      href={`/notes/${id}`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        void navigate({ to: '/notes/$id', params: { id } });
      }}
    >
      {children}
    </a>
  );
}
