import { createContext, use, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** The sidebar element into which the current page renders its own navigation tree. Null if no sidebar is shown. */
export const SidebarSlot = createContext<HTMLElement | null>(null);

export function InSidebar({ children }: { children: ReactNode }): ReactNode {
  const slot = use(SidebarSlot);
  return slot ? createPortal(children, slot) : null;
}
