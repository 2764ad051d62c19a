import { expect, test } from 'vitest';
import { Registry } from '../../src/kernel/module.ts';
import { modules } from '../../src/modules.ts';
import { findTools } from '../../src/transports/mcp/meta-tools.ts';
import { chinese, english } from './tool-requests.ts';

const entries = new Registry(Object.values(modules)).entries();

test.each([
  ['English', english],
  ['Chinese', chinese],
])(
  '[finding G12] find_tools names the right tool first for 85 of 100 requests in %s, and among five for 97',
  (_language, requests) => {
    const missed: string[] = [];
    let first = 0;
    let amongFive = 0;
    for (const [request, ...right] of requests) {
      const { tools } = findTools(entries, { query: request }) as { tools: { name: string }[] };
      const names = tools.map((tool) => tool.name);
      if (right.includes(names[0] ?? '')) first++;
      else missed.push(`${request}: ${names.join(' ')}`);
      if (names.some((name) => right.includes(name))) amongFive++;
      expect(JSON.stringify({ tools }).length / 4, request).toBeLessThanOrEqual(250);
    }
    expect(requests).toHaveLength(50);
    expect(first / requests.length, missed.join('\n')).toBeGreaterThanOrEqual(0.85);
    expect(amongFive / requests.length, missed.join('\n')).toBeGreaterThanOrEqual(0.97);
  },
);
