import { configHelp } from '../../config.ts';
import { commandUsage } from '../../kernel/describe-operation.ts';
import { version } from '../../version.ts';
import { adminHelp } from './admin.ts';
import { createRegistry } from './call.ts';
import { CommandError } from './command-error.ts';

export const help = `sheaf ${version}: knowledge bases, notes and spreadsheets that people and agents share

  sheaf serve                       start the server (the default)
  sheaf mcp [modules=sheet,note]    serve the Model Context Protocol on stdin and stdout
  sheaf call OPERATION [--help]     call an operation on a running server
  sheaf admin COMMAND               manage users and keys directly in the data folder
  sheaf backup FOLDER               make a consistent copy, even while the server runs
  sheaf restore FOLDER              verify a copy and restore it into an empty data folder or database
  sheaf doctor [--full]             look at an installation and say what to do
  sheaf import folder PATH          bring a folder of Markdown, with links and attachments, into a running server
  sheaf import ima                  bring the knowledge bases and notes of the service into a running server
  sheaf model COMMAND               add a model for search by meaning that runs in the server itself
  sheaf help [config | COMMAND | OPERATION]

Exit codes: 0 done, 1 refused or failed, 2 invalid command, settings or folders.
`;

const topics: Record<string, () => string> = {
  serve: () => `sheaf serve

Starts the server and prints "sheaf is ready at http://HOST:PORT"; logs go to stderr. The first start creates the owner's account,
prints a one-time sign-in link and writes credentials.json into the data folder. SIGTERM or Ctrl+C stops it: calls in progress
are finished, for at most 10 seconds. Settings are environment variables: sheaf help config
`,
  mcp: () => `sheaf mcp [tools=core] [modules=sheet,note] [names=dotted] [confirm=never] [links=never]

Serves the Model Context Protocol, one message per line, on stdin and stdout. It goes to the running server, with the key that
"sheaf call" would use (no client id needed); if none responds and SHEAF_URL is not set, it works directly on the data folder.

  tools=core       list about twenty tools; tools=all lists every one (any can be found and called whether listed or not)
  modules=LIST     list all tools of these modules and no others
  names=dotted     name tools sheet.find instead of sheet_find
  confirm=never    ask nobody before something is deleted, even where the client can
  links=never      send long files and notes whole instead of a link to them
`,
  call: () => `sheaf call OPERATION [--json '{...}' | --field value ...] [--table | --pretty]

Calls an operation on a running server. "sheaf call --help" lists the operations, "sheaf call OPERATION --help" its fields.

  --json '{...}'   the whole input; fields given separately are added to it
  --table          print readable text (the default on a terminal)
  --pretty         print JSON (the default elsewhere)

Server and key: SHEAF_URL, SHEAF_API_KEY and SHEAF_CLIENT_ID; else ~/.config/sheaf/credentials.json; else credentials.json in the
data folder. A refused call prints its code and message to stderr and exits with 1.
`,
  admin: () => `sheaf admin COMMAND

Works directly on the data folder or database, even while the server runs. USER is a name or an id.

${adminHelp()}

With --password, and in set-password, the password is prompted for, or read from the first line of stdin.
`,
  backup: () => `sheaf backup FOLDER

Copies a consistent snapshot of everything, with the hash of every file, into a new folder, even while the server runs.
`,
  restore: () => `sheaf restore FOLDER

Verifies a backup completely, then restores it into an empty data folder or database of either kind.
`,
  doctor: () => `sheaf doctor [--full] [--json]

Looks at the settings, versions, disk, rights, object store, database, clock, work that waits, and whether what is stored is whole.
Each line is ok, WARN or FAIL, with what to do about it. It changes nothing and may run beside the server.

  --full           check the database file completely, and read every stored file to its end
  --json           print the findings as JSON

Exits with 1 when something fails, with 0 when there are at most warnings.
`,
  import: () => `sheaf import folder PATH [--name NAME]
sheaf import ima

Adds things to the account of the key that "sheaf call" would use. What was imported is noted in ~/.local/state/sheaf/imports, so
the same command again goes on where it ended and imports nothing twice. Nothing is ever deleted. Exit code 1: something was not imported.

  folder   Markdown files become notes, folders notebooks, other files items of a knowledge base; links between them go on working.
           Symbolic links are not followed, hidden files left out. A file that changed since becomes a new version of its note.
  ima      notes, notebooks, knowledge bases, files and pages of the service at SHEAF_IMPORT_URL, with the key in
           SHEAF_IMPORT_CLIENT_ID and SHEAF_IMPORT_API_KEY (headers: SHEAF_IMPORT_HEADER_PREFIX, by default ima-openapi)
`,
  model: () => `sheaf model add FOLDER [OPTIONS]
sheaf model get ADDRESS [--sha256 HEX] [--yes] [OPTIONS]
sheaf model show
sheaf model remove

Adds a model by which searches find what means the same; texts stay on this machine. It takes the place of the one before, goes into
backups and serves all nodes, each from its next start on. SHEAF_EMBED_URL, if set, goes first. The model is run by a package that sheaf
does not bring along: npm install onnxruntime-web@1.30

  add              take a model from a folder: tokenizer.json and onnx/model_quantized.onnx, onnx/model.onnx or model.onnx
  get              download one, after asking; the address is that of its files at a revision, for example
                   https://huggingface.co/Xenova/multilingual-e5-small/resolve/REVISION
  --sha256 HEX     refuse weights with another SHA-256; without it the address must name a revision
  --yes            download without asking
  --name NAME      name of the model (default: the folder's, or the one in the address)
  --weights FILE   file with the weights, inside the folder
  --pooling WAY    mean or cls (default: as 1_Pooling/config.json says, else mean)
  --query-prefix TEXT, --passage-prefix TEXT
                   text that the model expects before each (default: none; "query: " and "passage: " for e5 models)
  --share NUMBER   weight of the similarity, where the best hit by words counts 1 (default: 0.5)
  --baseline NUMBER
                   similarity that unrelated texts have with the model (default: 0; 0.7 for e5 models)
`,
  config: () => `Settings are environment variables [default]:\n\n${configHelp()}\n`,
};

export function isHelp(word: string | undefined): boolean {
  return word === '--help' || word === '-h';
}

export function helpFor(topic: string | undefined): string {
  if (topic === undefined) return help;
  const found = Object.hasOwn(topics, topic) ? topics[topic] : undefined;
  if (found) return found();
  const entry = createRegistry().find(topic);
  if (!entry)
    throw new CommandError(
      `there is no help for ${JSON.stringify(topic)}; topics are ${Object.keys(topics).join(', ')} and every operation`,
    );
  return `${commandUsage(entry)}\n`;
}
