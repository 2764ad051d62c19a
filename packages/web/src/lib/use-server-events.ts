import { useEffect, useRef } from 'react';

/**
 * Calls `hear` when the server reports a change; changes close together cause one call. The browser reconnects by
 * itself after a lost connection, and callers poll in addition.
 */
export function useServerEvents(address: string, hear: () => void): void {
  const latest = useRef(hear);
  latest.current = hear;
  useEffect(() => {
    const source = new EventSource(address);
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let isGreeting = true;
    source.onmessage = () => {
      // The server sends a greeting on every connection. Ignore the first one, because the data was just read. After
      // a reconnect it causes a call, because changes may have been missed.
      if (isGreeting) {
        isGreeting = false;
        return;
      }
      waiting ??= setTimeout(() => {
        waiting = undefined;
        latest.current();
      }, debounceMs);
    };
    return () => {
      clearTimeout(waiting);
      source.close();
    };
  }, [address]);
}

const debounceMs = 50;
