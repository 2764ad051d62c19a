import { startTransition, useEffect, useRef, useState, type ComponentType, type ReactNode } from 'react';
import { Unreachable } from '../lib/client.ts';
import { language, textIn } from '../text/use-text.ts';
import { say, sayError } from './toast.tsx';

const waitsMs = [1000, 2000, 4000, 8000];

/** A component whose code is loaded when it is first needed. */
export interface LatePart<Props> {
  readonly load: () => Promise<ComponentType<Props>>;
  loaded?: ComponentType<Props>;
}

/** Wraps a lazily loaded component; shows `meanwhile` until the code is loaded. */
export function late<Props extends object>(
  load: LatePart<Props>['load'],
): (props: Props & { readonly meanwhile?: ReactNode }) => ReactNode {
  const part: LatePart<Props> = { load };
  return function Late({ meanwhile = null, ...rest }) {
    const props = rest as unknown as Props & { readonly onClose?: () => void };
    const Part = useLate(part, { onClose: props.onClose });
    return Part ? <Part {...props} /> : meanwhile;
  };
}

/**
 * Returns the component once its code is loaded. If loading fails, the rest of the page stays (an error in React's
 * `lazy` unmounts everything, including typed text): a closable part is closed with a message, any other part is loaded
 * when the server is back.
 */
export function useLate<Props>(
  part: LatePart<Props>,
  { isDue = true, onClose }: { isDue?: boolean; onClose?: (() => void) | undefined } = {},
): ComponentType<Props> | undefined {
  const [Part, setPart] = useState(() => part.loaded);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    if (!isDue || Part) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isNeeded = true;
    const attempt = async (failures: number): Promise<void> => {
      try {
        const loaded = await part.load();
        part.loaded = loaded;
        if (isNeeded) startTransition(() => setPart(() => loaded));
      } catch (error) {
        if (!isNeeded) return;
        console.info('a part of the page', error);
        if (close.current) {
          close.current();
          await sayWhy();
        } else timer = setTimeout(() => void attempt(failures + 1), waitsMs[Math.min(failures, waitsMs.length - 1)]);
      }
    };
    void attempt(0);
    return () => {
      isNeeded = false;
      clearTimeout(timer);
    };
  }, [part, isDue, Part]);
  return Part;
}

/** If the server responds but the part is missing, the server runs another version than the page. */
async function sayWhy(): Promise<void> {
  const isThere = await fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  const text = textIn(language.get());
  if (isThere) say(text('pageOutdated'), { label: text('reload'), run: () => location.reload() });
  else sayError(new Unreachable('the server cannot be reached'));
}
