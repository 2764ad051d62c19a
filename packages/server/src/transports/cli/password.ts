import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandError } from './command-error.ts';

/** From the terminal without showing it, or the first line of what is piped in. Arguments can be seen by everybody on the machine. */
export async function readPassword(): Promise<string> {
  const isTerminal = process.stdin.isTTY === true;
  if (isTerminal) process.stderr.write('Password: ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal });
  try {
    for await (const line of lines) return line;
    throw new CommandError('the password is read from stdin, but stdin was empty');
  } finally {
    lines.close();
    if (isTerminal) process.stderr.write('\n');
  }
}
