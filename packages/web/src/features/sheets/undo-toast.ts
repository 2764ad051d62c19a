import type { Translate } from '../../i18n/use-translation.ts';
import { showToast, showErrorToast } from '../../ui/toast.tsx';
import type { SheetSession } from './sheet-session.ts';

/** Shows a message about a change, with a button that undoes the change. */
export function showUndoToast(session: SheetSession, text: Translate, message: string): void {
  const undo = async (): Promise<void> => {
    await session.undo();
    await session.readTabs();
  };
  showToast(message, { label: text('undo'), run: () => void undo().catch(showErrorToast) });
}
