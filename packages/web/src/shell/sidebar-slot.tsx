import { createContext, use, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** The sidebar element into which a page renders its own navigation tree. Null if there is no sidebar. */
export const SidebarSlot = createContext<HTMLElement | null>(null);

export function InSidebar({ children }: { children: ReactNode }): ReactNode {
  const slot = use(SidebarSlot);
  return slot ? createPortal(children, slot) : null;
}
