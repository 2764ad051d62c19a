import type { Translate } from '../../i18n/use-translation.ts';
import { showToast, showErrorToast } from '../../ui/toast.tsx';
import type { SheetSession } from './sheet-session.ts';
import { UndoConflict } from './undo-stack.ts';

/**
 * Shows a message about a change, with a button that undoes it. `version` is the document version that the change
 * created; undefined if nothing changed, and then there is no button.
 */
export function showUndoToast(
  session: SheetSession,
  text: Translate,
  message: string,
  version: number | undefined,
): void {
  if (version === undefined) {
    showToast(message);
    return;
  }
  const undo = async (): Promise<void> => {
    await session.undoWrite(version);
    await session.readTabs();
  };
  const fail = (error: unknown): void =>
    showErrorToast(error instanceof UndoConflict ? new Error(text('laterChanges')) : error);
  showToast(message, { label: text('undo'), run: () => void undo().catch(fail) });
}
