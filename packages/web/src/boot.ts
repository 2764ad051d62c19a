import { prefetchPageData } from './lib/prefetch.ts';

// This entry file is minimal, so that data requests start while the rest of the page is still loading.
const isPublic = location.pathname === '/p';
if (!isPublic) prefetchPageData(location.pathname, location.search);
const isChinese = document.documentElement.lang === 'zh-CN';
const texts: Promise<unknown>[] = [isChinese ? import('./i18n/zh.ts') : import('./i18n/en.ts')];
const showsSheet = isPublic || location.pathname.startsWith('/sheet');
if (showsSheet) texts.push(isChinese ? import('./i18n/zh-sheets.ts') : import('./i18n/en-sheets.ts'));
if (location.pathname.startsWith('/account'))
  texts.push(isChinese ? import('./i18n/zh-account.ts') : import('./i18n/en-account.ts'));
if (location.pathname.startsWith('/wiki'))
  texts.push(isChinese ? import('./i18n/zh-knowledge.ts') : import('./i18n/en-knowledge.ts'));
// Only log a failure here: the code that needs the translations imports them again and shows the error.
Promise.all(texts).catch((error: unknown) => console.info('texts', error));

/** Runs each large JavaScript chunk in a separate browser task, so that the browser can handle input in between. */
async function start(): Promise<void> {
  const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  await import('./chunks/react.ts');
  await turn();
  if (isPublic) {
    await import('./public/main.tsx');
    return;
  }
  await import('./chunks/router.ts');
  await turn();
  await import('./main.tsx');
}

start().catch((error: unknown) => console.error('the page could not start', error));
