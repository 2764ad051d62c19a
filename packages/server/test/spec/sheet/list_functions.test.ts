import { expect, test } from 'vitest';
import { onTool } from './support.ts';

onTool('list_functions', ({ call }) => {
  test('[S119] names with their arguments', async () => {
    const all = (await call('list_functions', {})).data.functions;
    expect(all.length).toBeGreaterThan(400);
    expect(all.find((one: { name: string }) => one.name === 'XLOOKUP')).toEqual({
      name: 'XLOOKUP',
      family: 'lookup',
      arguments: 'value, lookup_range, return_range, [if_missing], [match_mode], [search_mode]',
    });
    expect((await call('list_functions', { search: 'lambda' })).data.functions).toEqual([
      { name: 'LAMBDA', family: 'lambda', arguments: '[parameter], ..., calculation' },
    ]);
  });
});
