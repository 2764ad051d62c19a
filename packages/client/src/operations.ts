import type { z } from 'zod';
import type { Modules } from '@sheaf/server/modules.ts';
import type { CallOptions } from './options.ts';

/**
 * Client with one method per operation of the API. The types are inferred from the server's registry of operations. The
 * published package does not contain that registry: packages/server/src/kernel/typescript-client.ts generates a file
 * that replaces this one in the package.
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
