import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../lib/api-client.ts';
import { loadLanguage, loadSheetTexts } from '../i18n/use-translation.ts';
import { recoverLostFocus } from '../ui/lost-focus-recovery.ts';
import { PublicSheetPage } from './public-sheet-page.tsx';

await Promise.all([loadLanguage(), loadSheetTexts()]);
recoverLostFocus();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <PublicSheetPage />
    </QueryClientProvider>
  </StrictMode>,
);
