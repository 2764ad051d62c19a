import { expect, test } from 'vitest';
import type { Key } from '@sheaf/tools/testing/call-client.ts';
import { nothing, onOperation, unknown } from './support.ts';

onOperation('announce', ({ call, create, server, share }) => {
  /** What somebody who has the document open hears, from the second event on. */
  const listen = async (address: string, as: Key): Promise<{ next(): Promise<any>; stop(): void }> => {
    const control = new AbortController();
    const response = await fetch(`${server().url}/openapi/sheet/v1/events?${address}`, {
      headers: { authorization: as.apiKey },
      signal: control.signal,
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const next = async (): Promise<any> => {
      for (;;) {
        const [, event] = /^data: (.*)\n\n/.exec(text) ?? [];
        if (event !== undefined) {
          text = text.slice(text.indexOf('\n\n') + 2);
          return JSON.parse(event);
        }
        if (text.startsWith(':') && text.includes('\n\n')) text = text.slice(text.indexOf('\n\n') + 2);
        else text += (await reader.read()).value ?? '';
      }
    };
    expect(await next()).toEqual({ version: 1 });
    return { next, stop: () => control.abort() };
  };

  test('[M19] who listens for people hears who is where, by a name that the server knows; nobody else does', async () => {
    const { file_id, sheet_id } = await create();
    const user = await server().newUser();
    await share(file_id, user, 'viewer');
    const people = await listen(`file_id=${file_id}&people=1`, server().owner);
    const changes = await listen(`file_id=${file_id}`, server().owner);
    const { name } = (await server().call('http', 'account', 'get_me', {}, user)).data;
    expect(await call('announce', { file_id, place: `${sheet_id}$B2:C9`, client: 'tab 1' }, user)).toEqual(nothing);
    expect(await people.next()).toMatchObject({
      presence: { user_id: user.userId, name, is_agent: true, place: `${sheet_id}$B2:C9`, left: false },
    });
    expect(await call('announce', { file_id, left: true }, user)).toEqual(nothing);
    expect(await people.next()).toMatchObject({ presence: { user_id: user.userId, left: true } });
    // The next that the other one hears is the next change.
    await server().call('http', 'sheet', 'write', { file_id, range: 'A1', rows: [[1]] });
    expect(await changes.next()).toMatchObject({ version: 2, tool: 'write' });
    people.stop();
    changes.stop();
  });

  test('[M19] of a document that the caller may not see nothing can be said', async () => {
    const { file_id } = await create();
    expect(await call('announce', { file_id }, await server().newUser())).toEqual(unknown(file_id));
  });
});
