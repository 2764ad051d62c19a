import type { z } from 'zod';
import type { Modules } from '@sheaf/server/modules.ts';
import type { CallOptions } from './options.ts';

/**
 * One method per operation, typed from the server's registry. The published package does not contain the registry: it
 * replaces this file by one generated with packages/server/src/kernel/typescript-client.ts.
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
