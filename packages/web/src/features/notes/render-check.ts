import { useEffect, useMemo, useState } from 'react';
import { isCheapToParse } from './parse-cost.ts';

/**
 * Time limit in milliseconds for a trial parse in the worker. An ordinary text of 100 KB takes a tenth of this time.
 */
const maxMs = 3000;
/** Time limit in milliseconds for loading the worker's code over a slow connection. */
const maxLoadMs = 20_000;

/** Results of `canRender` by Markdown text. They are cached, because a text is checked each time it is displayed. */
const resultCache = new Map<string, boolean>();
const maxCached = 20;

/**
 * Returns whether the Markdown can be rendered without blocking the page. A text that may parse slowly is first parsed
 * in a worker, with a time limit. Throws if the worker's code cannot be loaded, because the text then remains
 * unchecked.
 */
export async function canRender(markdown: string): Promise<boolean> {
  if (isCheapToParse(markdown)) return true;
  const found = resultCache.get(markdown);
  if (found !== undefined) return found;
  const answer = await tryInWorker(markdown);
  if (resultCache.size >= maxCached) resultCache.delete(resultCache.keys().next().value!);
  resultCache.set(markdown, answer);
  return answer;
}

function tryInWorker(markdown: string): Promise<boolean> {
  const worker = new Worker(new URL('./render-check-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<boolean>((resolve, reject) => {
    let hasBegun = false;
    const end = (answer: boolean): void => {
      clearTimeout(timer);
      worker.terminate();
      if (hasBegun) resolve(answer);
      else reject(new Error('the code that checks a note could not be loaded'));
    };
    let timer = setTimeout(() => end(false), maxLoadMs);
    worker.onmessage = ({ data }: MessageEvent<'begun' | 'read' | 'unreadable'>) => {
      if (data !== 'begun') return end(data === 'read');
      hasBegun = true;
      clearTimeout(timer);
      timer = setTimeout(() => end(false), maxMs);
    };
    worker.onerror = () => end(false);
    worker.postMessage(markdown);
  });
}

/**
 * Returns whether the Markdown can be rendered without blocking the page; undefined until the result is known. The
 * result is immediate for text that certainly parses fast or has passed an earlier check.
 */
export function useCanRender(markdown: string): boolean | undefined {
  const [answer, setAnswer] = useState<{ markdown: string; isReadable: boolean }>();
  const isKnown = useMemo(() => isCheapToParse(markdown) || resultCache.get(markdown) === true, [markdown]);
  useEffect(() => {
    if (isKnown) return undefined;
    let left = false;
    void canRender(markdown)
      // If the worker's code cannot be loaded, treat the text as unreadable, so that the note is shown as Markdown
      // source.
      .catch(() => false)
      .then((isReadableNow) => !left && setAnswer({ markdown, isReadable: isReadableNow }));
    return () => {
      left = true;
    };
  }, [markdown, isKnown]);
  if (isKnown) return true;
  return answer?.markdown === markdown ? answer.isReadable : undefined;
}
