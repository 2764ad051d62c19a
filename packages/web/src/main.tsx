import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './lib/api-client.ts';
import { whenIdle } from './lib/when-idle.ts';
import { loadFirstPage, router } from './routes.tsx';
import { loadLanguage } from './i18n/use-translation.ts';

/** Maximum wait for the first page's data in milliseconds. Afterwards the page is rendered with placeholders. */
const maxWaitMs = 1500;

// Render after the first page's data is loaded or the wait is over. `startTransition` allows slow devices to handle
// input while React renders.
const timeout = new Promise((resolve) => setTimeout(resolve, maxWaitMs));
await Promise.all([Promise.race([loadFirstPage(), timeout]), loadLanguage()]).catch((error: unknown) =>
  console.info('the first page', error),
);
startTransition(() =>
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  ),
);
whenIdle(() => {
  import('./start-idle-work.ts').then(
    ({ startIdleWork }) => startIdleWork(),
    (error: unknown) => console.info('idle work', error),
  );
  import('./lib/pause-polling.ts').then(
    ({ pausePollingWhenUnused }) => pausePollingWhenUnused(),
    (error: unknown) => console.info('polling', error),
  );
});
