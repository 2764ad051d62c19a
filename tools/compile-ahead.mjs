// Run by the build in a separate process: loads a bundle once and writes V8's code cache for it.
import { writeFileSync } from 'node:fs';
import { compiledFile, load } from './main-loader.mjs';

const file = process.argv[2];
const { script, text } = load(file);
writeFileSync(compiledFile(file, text), script.createCachedData());
process.exit(0);
