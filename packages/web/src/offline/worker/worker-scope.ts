/** The parts of the service worker API that are used here. TypeScript's own types of it exclude those of a page. */
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
  /** The build to which the worker belongs. service-worker-build.ts writes it before the worker's code. */
  readonly sheafBuild: {
    readonly id: string;
    /** The document with which every page starts. */
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
