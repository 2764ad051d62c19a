import { useEffect, useRef } from 'react';

/**
 * Calls `hear` when the server reports a change; changes close together cause one call. The browser reconnects by
 * itself after a lost connection, and callers poll in addition. `onEvent` is called with each event, and is told which
 * is the first of its connection; it returns whether `hear` need not be called for it.
 */
export function useServerEvents(
  address: string,
  hear: () => void,
  onEvent?: (event: unknown, isFirst: boolean) => boolean,
): void {
  const latest = useRef(hear);
  latest.current = hear;
  useEffect(() => {
    const source = new EventSource(address);
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let isGreeting = true;
    let isFirst = true;
    source.onopen = () => {
      isFirst = true;
    };
    source.onmessage = (message: MessageEvent<string>) => {
      const isHandled = onEvent?.(JSON.parse(message.data), isFirst) === true;
      isFirst = false;
      if (isHandled) return;
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
