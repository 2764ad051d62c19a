// Run by the build in a process of its own: loads a bundle once and keeps what V8 compiled for it.
import { writeFileSync } from 'node:fs';
import { compiledFile, load } from './main-loader.mjs';

const file = process.argv[2];
const { script, text } = load(file);
writeFileSync(compiledFile(file, text), script.createCachedData());
process.exit(0);
