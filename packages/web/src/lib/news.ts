import { useEffect, useRef } from 'react';

/**
 * Hears when something changed, wherever it was changed. Several at once are heard as one; while the connection is away
 * the browser makes a new one, and what is shown is looked at again now and then anyway.
 */
export function useNews(address: string, hear: () => void): void {
  const latest = useRef(hear);
  latest.current = hear;
  useEffect(() => {
    const source = new EventSource(address);
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let isGreeting = true;
    source.onmessage = () => {
      // Told when the connection is made. At first all was just read; made anew, something may have been missed.
      if (isGreeting) {
        isGreeting = false;
        return;
      }
      waiting ??= setTimeout(() => {
        waiting = undefined;
        latest.current();
      }, togetherMs);
    };
    return () => {
      clearTimeout(waiting);
      source.close();
    };
  }, [address]);
}

const togetherMs = 50;
