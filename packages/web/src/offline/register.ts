import { requestPageData, sendOperation } from '../lib/prefetch.ts';
import { refreshCachedNotes } from './refresh-cached-notes.ts';

/**
 * Delay in milliseconds before the service worker is installed for the first time. The installation downloads all files
 * of the app, so it waits until the page itself is loaded.
 */
const firstInstallDelayMs = 3000;

/**
 * Registers the service worker, which makes the page available offline. Browsers support service workers only over
 * https and on localhost.
 */
export function registerServiceWorker(): void {
  // Service workers do not exist over plain http, and the development server has none.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  refreshCachedNotes();
  serviceWorker.addEventListener('controllerchange', keepThisPage);
  const register = async (): Promise<void> => {
    const registration = await serviceWorker.register('/service-worker.js', { scope: '/', updateViaCache: 'none' });
    // If a service worker of a newer build is installed but still waiting, tell it which build this browser tab runs.
    // The worker activates itself if it belongs to the same build and no other tab of the app is open.
    const script = document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? location.href;
    registration?.waiting?.postMessage(new URL(script).pathname);
    // If nothing is cached yet, the service worker became active while this page was loading. Request the page's data
    // again, so that it is cached.
    const kept = serviceWorker.controller ? await caches.keys() : undefined;
    if (kept && !kept.some((name) => name.startsWith('sheaf-answers-'))) keepThisPage();
  };
  setTimeout(
    () => void register().catch((error: unknown) => console.info('the service worker', error)),
    serviceWorker.controller ? 0 : firstInstallDelayMs,
  );
}

/**
 * Repeats the requests with which this page was loaded, so that the service worker caches their responses. A worker
 * that became active after these requests has not seen them.
 */
function keepThisPage(): void {
  if (document.documentElement.dataset['guest'] !== undefined) return;
  requestPageData(location.pathname, location.search, (operation, input) => {
    const answer = sendOperation(operation, input);
    answer.catch((error: unknown) => console.info('kept answers', error));
    return answer;
  });
}
