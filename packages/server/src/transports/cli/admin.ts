import { createApp, type App } from '../../app.ts';
import { readConfig } from '../../config.ts';
import type { Caller } from '../../context.ts';
import { randomText } from '../../lib/ids.ts';
import type { User } from '../../ports/account-store.ts';
import { CommandError } from './command-error.ts';
import { refuseMissingData } from './data-folder-check.ts';
import { readPassword } from './password-prompt.ts';
import { findPrintedLinkAddress } from './printed-link-address.ts';
import { formatAnswer } from './format-answer.ts';

interface AdminCommand {
  operation: string;
  usage: string;
  input(args: string[], app: App): Promise<Record<string, unknown>>;
}

const ofUser: AdminCommand['input'] = async ([user], app) => ({ user_id: await userId(app, user) });

/** Admin commands by name. Each calls an operation of the account module. Users are given by name or id. */
const commands: Record<string, AdminCommand> = {
  'create-user': {
    operation: 'create_user',
    usage: 'create-user NAME [--password]',
    input: async ([name, flag]) => ({ name, password: flag === undefined ? undefined : await readPassword() }),
  },
  'create-key': {
    operation: 'create_key',
    usage: 'create-key USER [NAME] [read|write] [MODULES]',
    input: async ([user, name, access, modules], app) => ({
      user_id: await userId(app, user),
      name: name ?? 'command line',
      access,
      modules: modules?.split(','),
    }),
  },
  'list-users': { operation: 'list_users', usage: 'list-users', input: async () => ({}) },
  'list-keys': { operation: 'list_keys', usage: 'list-keys USER', input: ofUser },
  'revoke-key': {
    operation: 'revoke_key',
    usage: 'revoke-key USER KEY_ID',
    input: async ([user, key], app) => ({ user_id: await userId(app, user), key_id: key }),
  },
  suspend: { operation: 'suspend_user', usage: 'suspend USER', input: ofUser },
  resume: { operation: 'resume_user', usage: 'resume USER', input: ofUser },
  'delete-user': { operation: 'delete_user', usage: 'delete-user USER', input: ofUser },
  'set-password': {
    operation: 'set_password',
    usage: 'set-password USER',
    input: async ([user], app) => ({ user_id: await userId(app, user), password: await readPassword() }),
  },
  'sign-in-link': {
    operation: 'create_sign_in_link',
    usage: 'sign-in-link [USER]',
    input: ([user = 'owner'], app) => ofUser([user], app),
  },
  audit: {
    operation: 'list_audit',
    usage: 'audit [USER]',
    input: async (args, app) => (args.length === 0 ? {} : ofUser(args, app)),
  },
};

export function adminHelp(): string {
  return Object.values(commands)
    .map((command) => `  sheaf admin ${command.usage}`)
    .join('\n');
}

/**
 * Runs an admin command and returns the exit code. It opens the data folder or database directly, so it works even if
 * no user can sign in. The server may be running.
 */
export async function adminCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [word, ...rest] = args;
  const command = commands[word ?? ''];
  if (!command)
    throw new CommandError(
      `${word === undefined ? 'no admin command given.' : `there is no admin command ${JSON.stringify(word)}.`} Commands:\n${adminHelp()}`,
    );
  refuseExtra(rest, command.usage);
  const config = readConfig(env, { SHEAF_LOG_LEVEL: 'error' });
  refuseMissingData(config);
  const app = await createApp(config, { runJobs: false });
  try {
    const owner = (await app.services.accounts.listUsers()).find((user) => user.role === 'owner');
    if (!owner) throw new CommandError('there is no account yet: start the server once with "sheaf serve"');
    const entry = app.registry.find(command.operation)!;
    const input = await command.input(rest, app);
    const answer = await app.invoker.invoke(entry, JSON.parse(JSON.stringify(input)), {
      caller: localOwner(owner),
      requestId: randomText(16),
      signal: AbortSignal.timeout(60_000),
    });
    if (answer.code !== 0) throw new CommandError(`${answer.msg}\nusage: sheaf admin ${command.usage}`);
    process.stdout.write(
      `${formatAnswer(withAddress(answer.data as Record<string, unknown>, await findPrintedLinkAddress(app, env)))}\n`,
    );
    return 0;
  } finally {
    await app.close();
  }
}

/** Returns a caller with the rights of the installation's owner, for commands that open the data folder directly. */
export function localOwner({ id, name }: User): Caller {
  return {
    userId: id,
    userName: name,
    role: 'owner',
    clientId: '',
    keyId: '',
    modules: ['*'],
    access: 'write',
    via: 'local',
  };
}

/**
 * Throws if there are unexpected arguments. Also refuses a password given as an argument, because other users of the
 * machine can see arguments in the process list.
 */
function refuseExtra(args: readonly string[], usage: string): void {
  const places = usage.split(' ').slice(1);
  const extra = args.find(
    (word, index) => places[index] === undefined || (places[index] === '[--password]' && word !== '--password'),
  );
  if (extra !== undefined)
    throw new CommandError(
      `there are too many arguments after ${JSON.stringify(args[args.indexOf(extra) - 1] ?? usage)}\nusage: sheaf admin ${usage}`,
    );
}

/**
 * Replaces the field `sign_in_path` in the answer of a command by `sign_in_link`, a full link with the server's
 * address. Returns an answer without that field unchanged.
 */
function withAddress(data: Record<string, unknown>, address: string): Record<string, unknown> {
  const { sign_in_path: path, ...rest } = data;
  return typeof path === 'string' ? { sign_in_link: address + path, ...rest } : data;
}

async function userId(app: App, nameOrId: string | undefined): Promise<string> {
  if (nameOrId === undefined) throw new CommandError('no user given: pass a name or an id');
  const byName = await app.services.accounts.userByName(nameOrId);
  return byName?.id ?? nameOrId;
}
