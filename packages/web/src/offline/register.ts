import { requestPageData, sendOperation } from '../lib/prefetch.ts';
import { keepNotes } from './keep-notes.ts';

/** Milliseconds before a first installation, which loads all files of the page, so that the page itself is loaded first. */
const firstInstallDelayMs = 3000;

/**
 * Registers the service worker, with which the page opens without a connection. Browsers have service workers only over
 * https and on localhost.
 */
export function registerServiceWorker(): void {
  // Absent over plain http; the development server has no worker.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  keepNotes();
  serviceWorker.addEventListener('controllerchange', keepThisPage);
  const register = async (): Promise<void> => {
    const registration = await serviceWorker.register('/service-worker.js', { scope: '/', updateViaCache: 'none' });
    // The worker of a newer build, which the browser installed earlier. It takes over if this page is of its build.
    const script = document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? location.href;
    registration?.waiting?.postMessage(new URL(script).pathname);
    // A worker that became active while this page was loading has kept none of its answers.
    const kept = serviceWorker.controller ? await caches.keys() : undefined;
    if (kept && !kept.some((name) => name.startsWith('sheaf-answers-'))) keepThisPage();
  };
  setTimeout(
    () => void register().catch((error: unknown) => console.info('the service worker', error)),
    serviceWorker.controller ? 0 : firstInstallDelayMs,
  );
}

/**
 * Makes the first requests of this page again, because the worker that has just become active keeps only answers that
 * passed through it.
 */
function keepThisPage(): void {
  if (document.documentElement.dataset['guest'] !== undefined) return;
  requestPageData(location.pathname, location.search, (operation, input) => {
    const answer = sendOperation(operation, input);
    answer.catch((error: unknown) => console.info('kept answers', error));
    return answer;
  });
}
