export function bundleModule(source: string | { contents: string }, outfile: string): Promise<void>;

export function useBundled<Module, Result>(
  source: string | { contents: string },
  use: (module: Module) => Promise<Result>,
): Promise<Result>;
