import { askEarly } from './lib/early.ts';

// The smallest of files, so that questions are on their way while the rest of the page still comes.
const isPublic = location.pathname === '/p';
if (!isPublic) askEarly(location.pathname, location.search);
const texts = document.documentElement.lang === 'zh-CN' ? import('./text/zh.ts') : import('./text/en.ts');
// Whoever needs them asks again, and hears of the failure.
texts.catch((error: unknown) => console.info('texts', error));

/** What is large is taken in one by one, with a turn for the browser between: it can answer a finger meanwhile. */
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
