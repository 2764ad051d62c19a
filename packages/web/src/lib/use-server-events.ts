import { useEffect, useRef } from 'react';

/**
 * Calls `hear` when the server reports a change; several changes in quick succession cause one call. The browser
 * reconnects automatically after a lost connection.
 *
 * `onEvent` is called with each event and whether it is the first event of its connection. `hear` is not called for an
 * event if `onEvent` returns true.
 */
export function useServerEvents(
  address: string,
  hear: () => void,
  onEvent?: (event: unknown, isFirst: boolean) => boolean,
): void {
  const latest = useRef(hear);
  latest.current = hear;
  const isGreeting = useRef(true);
  useEffect(() => {
    const source = new EventSource(address);
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let isFirst = true;
    source.onopen = () => {
      isFirst = true;
    };
    source.onmessage = (message: MessageEvent<string>) => {
      const isHandled = onEvent?.(JSON.parse(message.data), isFirst) === true;
      isFirst = false;
      if (isHandled) return;
      // The server sends a greeting on every connection. The first greeting is ignored, because the data has just been
      // loaded. After a reconnect, or when the address has changed, the greeting counts as a change, because changes
      // may have been missed.
      if (isGreeting.current) {
        isGreeting.current = false;
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
