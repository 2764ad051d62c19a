import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './lib/client.ts';
import { whenIdle } from './lib/idle.ts';
import { loadFirstPage, router } from './routes.tsx';
import { loadLanguage } from './text/use-text.ts';

/** Maximum wait for the first page's data; after it the page renders with placeholders. */
const patienceMs = 1500;

// Renders once the first page's data is there, and in a transition, so that slow devices can handle input meanwhile.
const patience = new Promise((resolve) => setTimeout(resolve, patienceMs));
await Promise.all([Promise.race([loadFirstPage(), patience]), loadLanguage()]).catch((error: unknown) =>
  console.info('the first page', error),
);
startTransition(() =>
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  ),
);
whenIdle(() => {
  import('./ui/lost-focus.ts').then(
    ({ watchLostFocus }) => watchLostFocus(),
    (error: unknown) => console.info('the focus', error),
  );
});
