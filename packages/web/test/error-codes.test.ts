import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { accountErrors } from '@sheaf/server/modules/account/errors.ts';
import { inboxErrors } from '@sheaf/server/modules/inbox/errors.ts';
import { noteErrors } from '@sheaf/server/modules/note/errors.ts';
import { sharingErrors } from '@sheaf/server/modules/sharing/errors.ts';
import { sheetErrors } from '@sheaf/server/modules/sheet/errors.ts';
import { wikiErrors } from '@sheaf/server/modules/wiki/errors.ts';
import { errorCodes } from '../src/lib/error-codes.ts';

const tables: Record<keyof typeof errorCodes, Record<string, { readonly code: number }>> = {
  account: accountErrors,
  inbox: inboxErrors,
  note: noteErrors,
  sharing: sharingErrors,
  sheet: sheetErrors,
  wiki: wikiErrors,
};

const named = Object.entries(errorCodes).flatMap(([module, codes]) =>
  Object.entries(codes).map(([name, code]) => [module as keyof typeof errorCodes, name, code] as const),
);

test.each(named)("[finding A14] the page's code of %s.%s is the server's", (module, name, code) => {
  expect(tables[module][name]?.code).toBe(code);
});

test('[finding A14] every module with errors of its own is known to the page, and worth a retry when it is busy', () => {
  const modules = readdirSync(new URL('../../server/src/modules', import.meta.url), {
    recursive: true,
    encoding: 'utf8',
  });
  const withErrors = modules.flatMap((path) => /^(\w+)\/errors\.ts$/.exec(path)?.[1] ?? []);
  expect(withErrors.toSorted()).toEqual(Object.keys(tables));
  expect(Object.keys(errorCodes).filter((module) => 'busy' in errorCodes[module as keyof typeof errorCodes])).toEqual(
    Object.keys(tables),
  );
});
