import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { rpc } from './wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ database: 'sqlite' });
});
afterAll(() => server.close());

const names = [
  'answer-with-citation',
  'build-and-check-a-sheet',
  'change-a-note',
  'file-and-tag',
  'remember',
  'take-back',
];

const result = async (method: string, params: object = {}, version: 'modern' | 'older' = 'modern'): Promise<any> => {
  const { body } = await rpc(server, method, params as Record<string, unknown>, { version });
  expect(body.error).toBeUndefined();
  return body.result;
};

describe('[finding C13] skills over MCP', () => {
  test.each(['modern', 'older'] as const)(
    'are announced and listed with digests of what is read (%s)',
    async (version) => {
      const { capabilities } =
        version === 'modern'
          ? await result('server/discover')
          : await result('initialize', { protocolVersion: '2025-11-25', capabilities: {} }, version);
      expect(capabilities.extensions['io.modelcontextprotocol/skills']).toEqual({});
      const { skills } = await result('skills/list', {}, version);
      expect(skills.map((one: any) => one.frontmatter.name)).toEqual(names);
      for (const skill of skills) {
        expect(skill.uri).toBe(`skill://${skill.frontmatter.name}/SKILL.md`);
        expect(skill.frontmatter.description.length).toBeGreaterThan(50);
        expect((await result('skills/get', { uri: skill.uri }, version)).skill).toEqual(skill);
        const { contents } = await result('resources/read', { uri: skill.uri }, version);
        expect(contents[0].mimeType).toBe('text/markdown');
        expect(contents[0].text).toContain(`---\nname: ${skill.frontmatter.name}\ndescription: `);
        const digest = `sha256:${createHash('sha256').update(contents[0].text).digest('hex')}`;
        expect(skill.resources).toEqual([{ uri: skill.uri, digest, size: Buffer.byteLength(contents[0].text) }]);
      }
    },
  );

  test('are refused by name where there is none', async () => {
    for (const uri of ['skill://nothing/SKILL.md', 'skill://remember', 7, undefined]) {
      const { body } = await rpc(server, 'skills/get', { uri });
      expect(body.error.code).toBe(-32602);
    }
  });

  test('name only tools that there are', async () => {
    const known = new Set(
      server.app.registry.entries().map(({ module, operation }) => `${module.name}_${operation.name}`),
    );
    for (const { uri } of (await result('skills/list')).skills) {
      const { text } = (await result('resources/read', { uri })).contents[0];
      const named = [...text.matchAll(/`((?:account|note|wiki|sheet|manage|sharing)_[a-z_]+)[` ]/g)].map(
        (one) => one[1],
      );
      expect(named.length).toBeGreaterThan(2);
      for (const name of named.filter((one) => !/_ids?$/.test(one!)))
        expect(known, `${uri} names ${name}`).toContain(name);
    }
  });

  test('are files under /skills, and in llms.txt', async () => {
    const { skills } = (await (await fetch(`${server.url}/skills`)).json()) as any;
    expect(skills.map((one: any) => one.name)).toEqual(names);
    const llms = await (await fetch(`${server.url}/llms.txt`)).text();
    for (const { name, url, digest } of skills) {
      const response = await fetch(url);
      expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      expect(
        `sha256:${createHash('sha256')
          .update(await response.text())
          .digest('hex')}`,
      ).toBe(digest);
      expect(llms).toContain(`[${name}](${url})`);
    }
  });

  test('are prompts too, with a task', async () => {
    const { prompts } = await result('prompts/list');
    expect(prompts.map((one: any) => one.name)).toEqual(names);
    const { messages } = await result('prompts/get', { name: 'remember', arguments: { task: 'Keep this' } });
    expect(messages[0].role).toBe('user');
    expect(messages[0].content.text).toMatch(/^Keep this\n\n[^]*note_recall/);
    expect((await rpc(server, 'prompts/get', { name: 'nothing' })).body.error.code).toBe(-32602);
  });

  test('instructions teach citing, editing, large uploads, taking back and times', async () => {
    const { instructions } = await result('server/discover');
    for (const word of [
      'cite',
      'note_edit_note',
      'upload_url',
      'sheet_undo_revision',
      'UTC',
      'skill://remember/SKILL.md',
    ])
      expect(instructions).toContain(word);
  });
});
