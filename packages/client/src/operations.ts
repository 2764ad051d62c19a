import type { z } from 'zod';
import type { Modules } from '@sheaf/server/modules.ts';
import type { CallOptions } from './options.ts';

/**
 * One function per operation, with types from the registry. The published package has no registry: there this file is
 * replaced by one generated from the same definitions (packages/server/src/kernel/typescript-client.ts).
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
