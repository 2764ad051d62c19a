/** [finding C10] Operations as types of the package's client. packages/client/test/types.ts does it for all that exist. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { accountErrors } from '../../src/modules/account/errors.ts';
import { flag, integer, integerEnum, list, emptyObject, oneOf, text } from '../../src/kernel/field-schemas.ts';
import type { Module } from '../../src/kernel/module.ts';
import { operation } from '../../src/kernel/operation.ts';
import { generateClientOperations } from '../../src/kernel/typescript-client.ts';

const moduleOf = (input: z.ZodType<Record<string, unknown>>, output: z.ZodType<Record<string, unknown>>): Module => ({
  name: 'fruit',
  title: 'Fruit',
  summary: 'What grows.',
  errors: accountErrors,
  operations: {
    pick: operation({
      name: 'pick',
      summary: 'Picks one. */\nExample: {}',
      effect: 'read',
      input,
      output,
      run: async () => ({}),
    }),
  },
});

test('[finding C10] fields, their descriptions, and what may be left out', () => {
  const input = z.object({
    kind: oneOf('Which.', ['pear', 'plum']),
    grade: integerEnum('How good.', [1, 2]).optional(),
    count: integer('How many.', { min: 0 }).default(1),
    tags: list('Words.', text('A word.')).optional(),
    'odd-name': flag('Whether.').optional(),
  });
  const output = z.object({
    fruit: z
      .array(z.object({ name: text('Its name.'), note: text('What somebody said.').optional() }))
      .meta({ description: 'All of it.' }),
    more: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).meta({ description: 'Anything else.' }),
    pair: z.tuple([z.string(), z.array(z.union([z.string(), z.number()]))]).meta({ description: 'Two.' }),
    open: z.looseObject({ a: text('First.') }).meta({ description: 'With others.' }),
    rest: z.unknown().meta({ description: `${'A description that is longer than a line. '.repeat(4)}` }),
  });
  expect(generateClientOperations([moduleOf(input, output)])).toBe(`import type { CallOptions } from './options.ts';

export interface Client {
  /** Fruit. What grows. */
  readonly fruit: {
    /**
     * Picks one. *\\/
     * Example: {}
     */
    readonly pick: (input: {
      /** Which. */
      kind: "pear" | "plum";
      /** How good. */
      grade?: 1 | 2 | undefined;
      /** How many. */
      count?: number | undefined;
      /** Words. */
      tags?: string[] | undefined;
      /** Whether. */
      "odd-name"?: boolean | undefined;
    }, options?: CallOptions) => Promise<{
      /** All of it. */
      fruit: {
        /** Its name. */
        name: string;
        /** What somebody said. */
        note?: string;
      }[];
      /** Anything else. */
      more: Record<string, string | number | null>;
      /** Two. */
      pair: [string, (string | number)[]];
      /** With others. */
      open: {
        /** First. */
        a: string;
        [name: string]: unknown;
      };
      /**
       * A description that is longer than a line. A description that is longer than a line. A description that is
       * longer than a line. A description that is longer than a line.
       */
      rest: unknown;
    }>;
  };
}
`);
});

test('[finding C10] an empty input takes nothing, and a schema that has no type here stops the build with its place', () => {
  expect(generateClientOperations([moduleOf(emptyObject, emptyObject)])).toContain(
    'readonly pick: (input: Record<string, never>, options?: CallOptions) => Promise<Record<string, never>>;',
  );
  const odd = z.object({ both: z.intersection(z.string(), z.string()) });
  expect(() => generateClientOperations([moduleOf(odd, emptyObject)])).toThrow(
    /^fruit\.pick: the schema .*allOf.* has no type for the client/,
  );
});
