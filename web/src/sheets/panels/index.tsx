import type { ReactNode } from 'react';

/** Rendered once inside the page of a document, as a chunk of its own: registers what it offers with the session, and shows its dialogs. */
export function Panels(): ReactNode {
  return null;
}
