// Runs the built product for all tests of a run: node shared-server.mjs <folder> <owner pid>. Environment variables
// configure it. Writes <folder>/server.json when ready. Stops on SIGTERM or when the owner has ended.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../../dist/main.js';

const [folder, owner] = process.argv.slice(2);

setInterval(() => {
  try {
    process.kill(Number(owner), 0);
  } catch {
    process.kill(process.pid, 'SIGTERM');
  }
}, 500).unref();

try {
  await main(['serve']);
  const credentials = JSON.parse(readFileSync(join(process.env.SHEAF_DATA, 'credentials.json'), 'utf8'));
  writeFileSync(join(folder, 'server.json.new'), JSON.stringify({ pid: process.pid, ...credentials }));
  renameSync(join(folder, 'server.json.new'), join(folder, 'server.json'));
} catch (error) {
  console.error(error);
  writeFileSync(join(folder, 'failed'), '');
  process.exit(1);
}
