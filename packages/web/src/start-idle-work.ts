import { registerServiceWorker } from './offline/register.ts';
import { recoverLostFocus } from './ui/lost-focus-recovery.ts';

/** Starts work that is not needed to display a page. Called when the browser is idle. */
export function startIdleWork(): void {
  recoverLostFocus();
  registerServiceWorker();
}
