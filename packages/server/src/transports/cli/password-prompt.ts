import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandError } from './command-error.ts';

/**
 * Reads a password from the terminal without echo, or the first line of piped input. Passwords are not accepted as
 * arguments, because all users of the machine can see arguments.
 */
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
