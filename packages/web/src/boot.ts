import { askEarly } from './lib/early.ts';

// This entry file is kept minimal, so that data requests start while the rest of the page is still loading.
const isPublic = location.pathname === '/p';
if (!isPublic) askEarly(location.pathname, location.search);
const texts = document.documentElement.lang === 'zh-CN' ? import('./text/zh.ts') : import('./text/en.ts');
// The code that needs the texts imports them again and reports the failure.
texts.catch((error: unknown) => console.info('texts', error));

/** Evaluates the large chunks one per task, so that the browser can handle input in between. */
async function start(): Promise<void> {
  const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  await import('./parts/react.ts');
  await turn();
  if (isPublic) {
    await import('./public/main.tsx');
    return;
  }
  await import('./parts/router.ts');
  await turn();
  await import('./main.tsx');
}

start().catch((error: unknown) => console.error('the page could not start', error));
