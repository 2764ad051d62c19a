import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../lib/api-client.ts';
import { loadLanguage, loadSheetTexts } from '../i18n/use-translation.ts';
import { recoverLostFocus } from '../ui/lost-focus-recovery.ts';
import { parseLinkFragment } from './public-link.ts';

/**
 * Loads only the code that the link's kind needs. If another link is opened in the same browser tab, only the fragment
 * of the URL changes. A spreadsheet page then opens a link to another spreadsheet itself; in all other cases the page
 * reloads.
 */
async function loadPage(): Promise<ReactNode> {
  const link = parseLinkFragment(location.hash);
  if (link.kind === 'sheet') {
    const [{ PublicSheetPage }] = await Promise.all([import('./public-sheet-page.tsx'), loadSheetTexts()]);
    window.addEventListener('hashchange', () => {
      if (parseLinkFragment(location.hash).kind !== 'sheet') location.reload();
    });
    return <PublicSheetPage />;
  }
  const { PublicTextPage } = await import('./public-text-page.tsx');
  window.addEventListener('hashchange', () => location.reload());
  return <PublicTextPage link={link} />;
}

const [page] = await Promise.all([loadPage(), loadLanguage()]);
recoverLostFocus();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>{page}</QueryClientProvider>
  </StrictMode>,
);
