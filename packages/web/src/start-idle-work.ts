import { registerServiceWorker } from './offline/register.ts';
import { recoverLostFocus } from './ui/lost-focus-recovery.ts';

/** Starts background work that is not needed to display a page. */
export function startIdleWork(): void {
  recoverLostFocus();
  registerServiceWorker();
}
