import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startPostgres, type BenchPostgres } from './measure/durable-postgres.ts';
import { report, type Row } from './measure/report.ts';
import type { Built, Job, Peer, Queried } from './search/contender-process.ts';
import { queryWords } from './search/corpus.ts';
import type { Times } from './search/call-times.ts';
import { bundleRelease, folderOf } from './search/earlier-release.ts';
import { notesRow, measureUploads, type Written } from './search/write-throughput.ts';

export { child } from './search/contender-process.ts';
export { serve } from './wiki/server.ts';

/**
 * Measures full-text search over mixed Chinese and English entries: our index with total and order, FTS5 queried directly
 * over the same tokens, release 0.1.0, and two in-memory libraries; the same entries in PostgreSQL; and write throughput on
 * both. Every contender runs in its own process. Goals use wall time and need a quiet machine. Comparisons use processor
 * time, the fastest of several calls of each word, the same number for all. All contenders use the same tokens (the release
 * its own) and return the number of matches and the first twenty in order.
 *
 *   npm run bench -- search [entries, 100000 by default] [--part index,postgres,writing,peers]
 */

/**
 * Processor time a peer may use to build its index. A peer that needs more is compared on the entries indexed so far, with
 * ours of the same size.
 */
const maxCpuSeconds = 120;
const parts = ['index', 'postgres', 'writing', 'peers'] as const;

export async function run(args: readonly string[] = []): Promise<void> {
  const count = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 100_000);
  const chosen = args.includes('--part') ? args[args.indexOf('--part') + 1]!.split(',') : parts;
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  const job = (contender: Job['contender'], size = count): Job => ({
    contender,
    count: size,
    root,
    file: join(folder, `${size}.db`),
    maxCpuSeconds,
  });
  try {
    const measured = chosen.includes('index') || chosen.includes('peers') ? await index(job, count) : undefined;
    if (chosen.includes('postgres')) await postgres(job, count);
    if (chosen.includes('writing')) await writing(job);
    if (chosen.includes('peers') && measured) await peers(job, count, root, measured);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type JobOf = (contender: Job['contender'], size?: number) => Job;

interface Measured {
  built: Built;
  ours: Queried;
}

async function index(job: JobOf, count: number): Promise<Measured> {
  const small = Math.max(1000, Math.floor(count / 10));
  await inProcess<Built>(job('build', small));
  const tenth = await inProcess<Queried>(job('query', small));
  const built = await inProcess<Built>(job('build'));
  const ours = await inProcess<Queried>(job('query'));
  const bare = await inProcess<Queried>({ ...job('bare'), rare: ours.rare ?? [] });
  Object.assign(ours.times, bare.times);
  report(`search, ${count} entries: writing`, [
    {
      what: 'put, batches of 500, entries a second',
      value: (count / built.seconds).toFixed(0),
      goal: '>= 200',
      met: count / built.seconds >= 200,
    },
    { what: 'processor seconds, all threads', value: built.cpuSeconds.toFixed(1) },
    { what: 'file, MiB', value: built.fileMiB.toFixed(0) },
  ]);
  report(
    `search, ${count} entries: total and the first 20, milliseconds p50 / p95 (of the processor)`,
    oursRows(ours, tenth, count, small),
  );
  await againstRelease(job, { built, ours }, count);
  return { built, ours };
}

async function againstRelease(job: JobOf, { built, ours }: Measured, count: number): Promise<void> {
  const release = await bundleRelease(job('build').root);
  if (!release) {
    process.stdout.write('\nthe history of the repository is not here: no comparison with 0.1.0\n');
    return;
  }
  try {
    const theirJob = (contender: Job['contender']): Job => ({
      ...job(contender),
      file: `${job(contender).file}.release`,
      release,
    });
    const theirBuilt = await inProcess<Built>(theirJob('build'));
    const theirs = await inProcess<Queried>({ ...theirJob('query'), rare: ours.rare ?? [] });
    report(`search, ${count} entries: ours to release 0.1.0`, releaseRows({ built, ours }, theirBuilt, theirs));
  } finally {
    await rm(folderOf(release), { recursive: true, force: true });
  }
}

function releaseRows({ built, ours }: Measured, theirBuilt: Built, theirs: Queried): Row[] {
  const times = (what: string, key: string): Row => {
    const [mine, other] = [timesOf(ours, key), timesOf(theirs, key)];
    const [p50, p95] = [mine.cpu50 / other.cpu50, mine.cpu95 / other.cpu95];
    return {
      what: `${what}, processor p50 / p95`,
      value: `x ${p50.toFixed(2)} / ${p95.toFixed(2)}`,
      goal: '<= x 1.5',
      met: p50 <= 1.5 && p95 <= 1.5,
    };
  };
  const plain = (what: string, mine: number, other: number, most?: number): Row => ({
    what,
    value: `x ${(mine / other).toFixed(2)} (${mine.toFixed(0)} to ${other.toFixed(0)})`,
    ...(most === undefined ? {} : { goal: `<= x ${most}`, met: mine <= most * other }),
  });
  return [
    times('selective words, by rank', 'selective'),
    times('selective words, by time', 'selectiveModified'),
    plain('memory of the process that is asked, MiB', ours.residentMiB, theirs.residentMiB, 1.6),
    plain('file, MiB', built.fileMiB, theirBuilt.fileMiB, 1.6),
    plain('building, processor seconds', built.cpuSeconds, theirBuilt.cpuSeconds),
  ];
}

async function postgres(job: JobOf, count: number): Promise<void> {
  const server = await startPostgres();
  try {
    const asked = await inProcess<Queried>({ ...job('postgres'), url: server.url, rare: queryWords(60) });
    const row = (what: string, key: string, goal?: number): Row => {
      const times = timesOf(asked, key);
      return {
        what,
        value: both(times),
        ...(goal === undefined ? {} : { goal: `p95 < ${goal}`, met: times.p95 < goal }),
      };
    };
    report(`search, ${count} entries in PostgreSQL: milliseconds p50 / p95 by the clock (processor of the node)`, [
      row('questions of eight words', 'questions', 40),
      row('240 other questions, each for the first time', 'questionsFirst', 40),
      row('single words', 'selective', 20),
      row('in half of all, by rank', 'half', 100),
      { what: 'segments', value: String(asked.matches['segments']) },
      { what: 'memory of the node, MiB', value: asked.residentMiB.toFixed(0) },
      { what: 'load of the machine over the last five minutes', value: loadavg()[1]!.toFixed(1) },
    ]);
  } finally {
    await server.stop();
  }
}

const notesWritten = 30_000;

async function writing(job: JobOf): Promise<void> {
  const rows = [
    notesRow('SQLite', notesWritten, await inProcess<Written>(job('notes', notesWritten))),
    await onPostgres(async ({ url, cpuSeconds }) => {
      const before = await cpuSeconds();
      const written = await inProcess<Written>(job('notes', notesWritten), { SHEAF_DATABASE_URL: url });
      const used = written.cpuSeconds + (await cpuSeconds()) - before;
      return notesRow('PostgreSQL', notesWritten, { ...written, cpuSeconds: used });
    }),
    ...(await measureUploads('SQLite', import.meta.url)),
    ...(await onPostgres(({ cpuSeconds }) => measureUploads('PostgreSQL', import.meta.url, cpuSeconds))),
    { what: 'load of the machine over the last five minutes', value: loadavg()[1]!.toFixed(1) },
  ];
  report('search: keeping up with what is written', rows);
}

/** Runs work with a separate database, which servers started meanwhile use. */
async function onPostgres<Result>(work: (server: BenchPostgres) => Promise<Result>): Promise<Result> {
  const server = await startPostgres();
  const before = process.env['SHEAF_DATABASE_URL'];
  process.env['SHEAF_DATABASE_URL'] = server.url;
  try {
    return await work(server);
  } finally {
    if (before === undefined) delete process.env['SHEAF_DATABASE_URL'];
    else process.env['SHEAF_DATABASE_URL'] = before;
    await server.stop();
  }
}

async function peers(job: JobOf, count: number, root: string, { built, ours }: Measured): Promise<void> {
  if (!existsSync(join(root, 'tools', 'bench', 'node_modules', 'minisearch'))) {
    process.stdout.write('\nthe peers are not installed: npm install --prefix tools/bench\n');
    return;
  }
  const building = await Promise.all(
    (['minisearch', 'orama'] as const).map((contender) => buildingPeer(job(contender))),
  );
  for (const peer of building) {
    const theirs = await peer.ask();
    const isWhole = theirs.built === count;
    const [sameBuilt, same] = isWhole
      ? [built, ours]
      : [await inProcess<Built>(job('build', theirs.built)), await inProcess<Queried>(job('query', theirs.built))];
    const all = isWhole
      ? `${count} entries`
      : `${theirs.built} entries, what it built in ${maxCpuSeconds} s of processor time,`;
    report(`search, ${all}: ${peer.contender}, the same tokens`, peerRows(same, sameBuilt, theirs));
  }
}

function oursRows(ours: Queried, tenth: Queried, count: number, small: number): Row[] {
  const row = (what: string, key: string, goal?: number): Row => {
    const times = timesOf(ours, key);
    return {
      what,
      value: both(times),
      ...(goal === undefined ? {} : { goal: `p95 < ${goal}`, met: times.p95 < goal }),
    };
  };
  const ratio = (what: string, key: string, to: string, most = 1.5): Row => {
    const [mine, bare] = [timesOf(ours, key), timesOf(ours, to)];
    const [p50, p95] = [mine.cpu50 / bare.cpu50, mine.cpu95 / bare.cpu95];
    const value = `x ${p50.toFixed(2)} / ${p95.toFixed(2)}`;
    return { what, value, goal: `<= x ${most}`, met: p50 <= most && p95 <= most };
  };
  const growth = timesOf(ours, 'twenty').cpu50 / timesOf(tenth, 'twenty').cpu50;
  const most = Math.log(count) / Math.log(small);
  return [
    row(`selective (${ours.matches['rareWords']} words in at most 1 of 100), by rank`, 'selective', 20),
    row('selective, by time', 'selectiveModified', 20),
    row('selective, all owners', 'selectiveAll', 20),
    row('selective, owner of 1 in 1000', 'selectiveSmallOwner', 20),
    row('list: no word, by time', 'list', 20),
    row(`in half of all (${ours.matches['half']}), by rank`, 'half', 100),
    row('in half of all, by time', 'halfModified', 100),
    row('in half of all, by title', 'halfTitle', 100),
    row('in half of all, by time, a page in the middle', 'halfMiddle', 100),
    row('in half of all, by rank, all owners', 'halfAll', 100),
    row('in half of all, owner of 1 in 1000', 'halfSmallOwner', 20),
    row('two frequent words, by rank', 'twoWords', 100),
    row('one frequent Chinese character, by time', 'singleCharacter', 100),
    row('bare FTS5: count, first 20 by bm25, selective', 'bareSelective'),
    row('bare FTS5: count, first 20 by bm25, half', 'bareHalf'),
    ratio('ours to bare, selective, by rank, processor p50 / p95', 'selective', 'bareSelective'),
    ratio('ours to bare, half, by rank, processor p50 / p95', 'half', 'bareHalf'),
    ratio('ours to bare, half, by time, processor p50 / p95', 'halfModified', 'bareHalf'),
    row('questions of eight words, asked again and again', 'questions'),
    row('240 other questions, each asked once', 'questionsOnce'),
    row('60 of those, nothing kept of any question before', 'questionsCold'),
    row('bare FTS5: the questions asked again and again, any word', 'bareQuestions'),
    row('bare FTS5: those asked once', 'bareQuestionsOnce'),
    ratio('ours to bare, asked again and again, processor p50 / p95', 'questions', 'bareQuestions', 0.7),
    ratio('ours to bare, each asked once, processor p50 / p95', 'questionsOnce', 'bareQuestionsOnce', 0.7),
    ratio(
      'ours with nothing kept to bare, each asked once, processor p50 / p95',
      'questionsCold',
      'bareQuestionsOnce',
      0.7,
    ),
    {
      what: `questions: ${count} entries to ${small}, processor p50`,
      value: `x ${(timesOf(ours, 'questions').cpu50 / timesOf(tenth, 'questions').cpu50).toFixed(2)}`,
      goal: '<= x 3',
      met: timesOf(ours, 'questions').cpu50 <= 3 * timesOf(tenth, 'questions').cpu50,
    },
    {
      what: `questions asked once: ${count} entries to ${small}, processor p50`,
      value: `x ${(timesOf(ours, 'questionsOnce').cpu50 / timesOf(tenth, 'questionsOnce').cpu50).toFixed(2)}`,
      goal: '<= x 3',
      met: timesOf(ours, 'questionsOnce').cpu50 <= 3 * timesOf(tenth, 'questionsOnce').cpu50,
    },
    {
      what: `20 matches: ${count} entries to ${small}, processor p50`,
      value: `x ${growth.toFixed(2)}`,
      goal: `<= x ${most.toFixed(2)} (logarithm)`,
      met: growth <= most,
    },
    { what: 'memory of the process, MiB', value: ours.residentMiB.toFixed(0) },
  ];
}

function peerRows(ours: Queried, built: Built, peer: Peer): Row[] {
  const times = (what: string, key: string): Row => {
    const [mine, theirs] = [timesOf(ours, key), timesOf(peer, key)];
    return {
      what: `${what}, p50 / p95`,
      value: both(theirs),
      goal: `ours ${both(mine)}, x ${(theirs.cpu50 / mine.cpu50).toFixed(1)} / ${(theirs.cpu95 / mine.cpu95).toFixed(1)} faster`,
      met: mine.cpu50 < theirs.cpu50 && mine.cpu95 < theirs.cpu95,
    };
  };
  return [
    {
      what: 'build, processor seconds',
      value: peer.cpuSeconds.toFixed(1),
      goal: `ours ${built.cpuSeconds.toFixed(1)}`,
    },
    times(`selective (${peer.matches['rareWords']} words)`, 'selective'),
    times(`in half of all (${peer.matches['half']})`, 'half'),
    {
      what: 'memory of the process, MiB',
      value: peer.residentMiB.toFixed(0),
      goal: `ours ${ours.residentMiB.toFixed(0)}`,
      met: ours.residentMiB < peer.residentMiB,
    },
  ];
}

function timesOf(queried: Queried, key: string): Times {
  const times = queried.times[key];
  if (!times) throw new Error(`nothing was measured as ${key}`);
  return times;
}

function both({ p50, p95, cpu50, cpu95 }: Times): string {
  return `${p50.toFixed(2)} / ${p95.toFixed(2)} (${cpu50.toFixed(2)} / ${cpu95.toFixed(2)})`;
}

interface Child {
  /** Resolves with the next line of the child's output. */
  line(): Promise<string>;
  /** Lets a peer continue after it has built its index. */
  go(): void;
}

/** Runs `child` of this bundle in a new process. */
function started(job: Job, environment: Record<string, string> = {}): Child {
  const script = `import(${JSON.stringify(import.meta.url)}).then((bench) => bench.child(${JSON.stringify(job)}))`;
  const spawned = spawn(process.execPath, ['--expose-gc', '--max-old-space-size=12288', '--eval', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const ended = once(spawned, 'exit');
  const lines = createInterface({ input: spawned.stdout })[Symbol.asyncIterator]();
  return {
    async line() {
      const { value, done } = await lines.next();
      if (!done) return value;
      throw new Error(`the ${job.contender} process ended with code ${(await ended)[0]}`);
    },
    go: () => spawned.stdin.end('go\n'),
  };
}

async function inProcess<Result>(job: Job, environment?: Record<string, string>): Promise<Result> {
  return JSON.parse(await started(job, environment).line()) as Result;
}

/** Resolves when the peer has built its index. */
async function buildingPeer(job: Job): Promise<{ contender: string; ask(): Promise<Peer> }> {
  const peer = started(job);
  await peer.line();
  return {
    contender: job.contender,
    async ask() {
      peer.go();
      return JSON.parse(await peer.line()) as Peer;
    },
  };
}
