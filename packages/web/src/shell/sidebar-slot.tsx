import { createContext, use, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** Where a page puts its own tree into the side bar. */
export const SidebarSlot = createContext<HTMLElement | null>(null);

export function InSidebar({ children }: { children: ReactNode }): ReactNode {
  const slot = use(SidebarSlot);
  return slot ? createPortal(children, slot) : null;
}
