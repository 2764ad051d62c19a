// Run by the build in a process of its own: loads a bundle once and keeps what V8 compiled for it.
import { readFileSync, writeFileSync } from 'node:fs';
import { compiledFile, load } from './main-loader.mjs';

const file = process.argv[2];
const { script } = load(file);
writeFileSync(compiledFile(file, readFileSync(file, 'latin1')), script.createCachedData());
process.exit(0);
