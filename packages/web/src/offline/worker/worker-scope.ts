/**
 * The parts of the service worker API that this app uses. They are declared separately, because TypeScript's own types
 * for workers cannot be combined with its types for pages.
 */
interface LifecycleEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

export interface FetchEvent extends LifecycleEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

interface Clients {
  claim(): Promise<void>;
  matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly unknown[]>;
}

export interface WorkerScope {
  /**
   * The build of the app that the worker belongs to. The build plugin service-worker-build.ts inserts this value before
   * the worker's code.
   */
  readonly sheafBuild: {
    readonly id: string;
    /** URL path of the app shell, the HTML document that all pages share. */
    readonly shell: string;
    /** All scripts, styles and fonts of the build. */
    readonly files: readonly string[];
  };
  readonly location: Location;
  readonly clients: Clients;
  readonly registration: { readonly scope: string };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: LifecycleEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  addEventListener(type: 'message', listener: (event: LifecycleEvent & { readonly data: unknown }) => void): void;
}

export const worker = self as unknown as WorkerScope;
