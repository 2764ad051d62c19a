import { startTransition, useEffect, useRef, useState, type ComponentType, type ReactNode } from 'react';
import { UnreachableError } from '../lib/api-client.ts';
import { RetryTimer } from '../lib/retry-timer.ts';
import { language, translatorFor } from '../i18n/use-translation.ts';
import { showToast, showErrorToast } from './toast.tsx';

/** A component whose code is loaded on demand. `loaded` contains the component after its code is loaded. */
export interface LazyComponent<Props> {
  readonly load: () => Promise<ComponentType<Props>>;
  loaded?: ComponentType<Props>;
}

/** Returns a component whose code is loaded when it is first rendered. `fallback` is shown until the code is loaded. */
export function lazyComponent<Props extends object>(
  load: LazyComponent<Props>['load'],
): (props: Props & { readonly fallback?: ReactNode }) => ReactNode {
  const part: LazyComponent<Props> = { load };
  return function Late({ fallback = null, ...rest }) {
    const props = rest as unknown as Props & { readonly onClose?: () => void };
    const Part = useLazyComponent(part, { onClose: props.onClose });
    return Part ? <Part {...props} /> : fallback;
  };
}

/**
 * Returns the component, or undefined until its code is loaded. Loading starts when `isDue` is true (the default).
 *
 * If loading fails, the rest of the page stays mounted. With React's `lazy` it would be unmounted and typed text would
 * be lost. A component with `onClose` is closed after a failure and a message is shown; for other components, loading
 * is tried again.
 */
export function useLazyComponent<Props>(
  part: LazyComponent<Props>,
  { isDue = true, onClose }: { isDue?: boolean; onClose?: (() => void) | undefined } = {},
): ComponentType<Props> | undefined {
  const [Part, setPart] = useState(() => part.loaded);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    if (!isDue || Part) return undefined;
    let isNeeded = true;
    const retry = new RetryTimer(() => void attempt());
    const attempt = async (): Promise<void> => {
      try {
        const loaded = await part.load();
        part.loaded = loaded;
        if (isNeeded) startTransition(() => setPart(() => loaded));
      } catch (error) {
        if (!isNeeded) return;
        console.info('a part of the page', error);
        if (close.current) {
          close.current();
          await showLoadFailure();
        } else retry.schedule();
      }
    };
    void attempt();
    return () => {
      isNeeded = false;
      retry.cancel();
    };
  }, [part, isDue, Part]);
  return Part;
}

/**
 * Tells the user why the code of a component could not be loaded. If the server responds, the cause is an outdated page
 * whose files the server no longer has, so the message offers to reload the page.
 */
async function showLoadFailure(): Promise<void> {
  const isThere = await fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  const text = translatorFor(language.get());
  if (isThere) showToast(text('pageOutdated'), { label: text('reload'), run: () => location.reload() });
  else showErrorToast(new UnreachableError('the server cannot be reached'));
}
