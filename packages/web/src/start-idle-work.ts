import { registerServiceWorker } from './offline/register.ts';
import { recoverLostFocus } from './ui/lost-focus-recovery.ts';

/** Starts what no page needs to be shown. */
export function startIdleWork(): void {
  recoverLostFocus();
  registerServiceWorker();
}
