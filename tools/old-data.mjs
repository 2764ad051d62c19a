// node tools/old-data.mjs CHECKOUT TARGET: packs data folders that are created by the product of a checkout (see
// packages/server/test/old-data/make.ts).
import { join } from 'node:path';
import { useBundled } from './bundle-module.mjs';
import { root } from './root-folder.mjs';

const source = join(root, 'packages', 'server', 'test', 'old-data', 'make.ts');
await useBundled(source, ({ run }) => run(process.argv.slice(2)));
