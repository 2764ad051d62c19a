import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from '../lib/client.ts';
import { loadLanguage } from '../text/use-text.ts';
import { watchLostFocus } from '../ui/lost-focus.ts';
import { PublicPage } from './page.tsx';

await loadLanguage();
watchLostFocus();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <PublicPage />
    </QueryClientProvider>
  </StrictMode>,
);
