import type { z } from 'zod';
import type { Modules } from '@sheaf/server/modules.ts';
import type { CallOptions } from './options.ts';

/**
 * A function for every operation, its types read from the registry. The package has no registry: there this file is
 * replaced by one that is written from the same definitions (packages/server/src/operation/typescript.ts).
 */
export type Client = {
  readonly [M in keyof Modules]: {
    readonly [O in keyof Modules[M]['operations']]: Modules[M]['operations'][O] extends {
      input: infer Input;
      output: infer Output;
    }
      ? (input: z.input<Input & z.ZodType>, options?: CallOptions) => Promise<z.output<Output & z.ZodType>>
      : never;
  };
};
