import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkOut } from './measure/checkouts.ts';
import { atLeast, atMost, report, root, type Row } from './measure/figures.ts';
import { startServer, type Running } from './measure/servers.ts';

/**
 * Measures the API operation search_passages over annual reports. Uploads the PDF files of the FinanceBench question
 * set to the built server and searches with its questions. FOLDER is a checkout of github.com/patronus-ai/financebench.
 * Reports how often a page that contains the answer is among ten passages, and the share of passages from the right
 * document. Half of the questions, selected by a hash of their ids, are reserved for checking and not asked.
 *
 * REF is a commit of this repository. If it is given, the server of that commit is measured too, and the processor
 * times are compared.
 *
 *    npm run bench -- passages FOLDER [REF]
 */
interface Question {
  financebench_id: string;
  question: string;
  doc_name: string;
  evidence: { doc_name: string; evidence_page_num: number }[];
}

interface Answer {
  documents?: { title: string }[];
  passages: { document?: number; title?: string; page?: string }[];
}

const limit = 10;

export async function run([folder = '', ref]: readonly string[] = []): Promise<void> {
  const list = join(folder, 'data', 'financebench_open_source.jsonl');
  if (!existsSync(list)) {
    process.stdout.write(`no checkout of FinanceBench in ${folder || 'the folder that was not given'}\n`);
    return;
  }
  const questions = readFileSync(list, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Question)
    .filter(({ financebench_id: id }) => createHash('sha256').update(id).digest()[0]! < 128)
    .filter(({ doc_name: name }) => existsSync(pdfOf(folder, name)));
  const names = [...new Set(questions.map((one) => one.doc_name))];
  const ours = await measure(root, folder, names, questions);
  const rows: Row[] = [
    atLeast('evidence page among ten passages, %', ours.pages, 40),
    atLeast('passages of the right document, %', ours.share, 65),
    {
      what: 'processor milliseconds a question',
      value: `${ours.first.toFixed(0)}; asked again ${ours.again.toFixed(0)}`,
    },
  ];
  if (ref !== undefined) {
    const checkout = checkOut(ref);
    const theirs = await measure(checkout.folder, folder, names, questions);
    rows.push(
      {
        what: `the same of ${checkout.name}`,
        value: `${theirs.first.toFixed(0)}; asked again ${theirs.again.toFixed(0)}`,
      },
      {
        what: `pages and passages of ${checkout.name}, %`,
        value: `${theirs.pages.toFixed(1)}; ${theirs.share.toFixed(1)}`,
      },
      atMost('processor time over that', ours.first / theirs.first, 0.15),
    );
  }
  report(`passages, FinanceBench: ${names.length} documents, ${questions.length} questions`, rows);
}

interface Measured {
  /**
   * `pages`: percentage of questions for which a passage comes from a page that contains the answer. `share`: mean
   * percentage of passages from the right document.
   */
  pages: number;
  share: number;
  /** Mean processor milliseconds per question, when asked for the first time (`first`) and when repeated (`again`). */
  first: number;
  again: number;
}

async function measure(
  checkout: string,
  folder: string,
  names: readonly string[],
  questions: readonly Question[],
): Promise<Measured> {
  const server = await startServer({ checkout });
  try {
    const base = await upload(server, folder, names);
    const ask = async ({ question }: Question): Promise<Answer> => {
      const input = { query: question, knowledge_base_id: base, limit, max_tokens: 100_000 };
      return (await server.ask('wiki', 'search_passages', input)) as unknown as Answer;
    };
    const before = await server.cpuSeconds();
    const answers: Answer[] = [];
    for (const question of questions) answers.push(await ask(question));
    const between = await server.cpuSeconds();
    for (const question of questions) await ask(question);
    const after = await server.cpuSeconds();
    const perQuestion = (value: number): number => value / questions.length;
    return {
      pages: perQuestion(100 * questions.filter((question, i) => hasEvidence(question, answers[i]!)).length),
      share: perQuestion(100 * questions.reduce((sum, question, i) => sum + rightShare(question, answers[i]!), 0)),
      first: perQuestion(1000 * (between - before)),
      again: perQuestion(1000 * (after - between)),
    };
  } finally {
    await server.stop();
  }
}

type AnswerPassage = Answer['passages'][number];

/**
 * Returns the document name of a passage. Older versions of the server return a title per passage instead of an index
 * into `documents`.
 */
function nameOf({ documents }: Answer, { document, title }: AnswerPassage): string {
  return (title ?? documents![document!]!.title).replace(/\.pdf$/, '');
}

function hasEvidence({ evidence }: Question, answer: Answer): boolean {
  return answer.passages.some((one) =>
    evidence.some(
      ({ doc_name: name, evidence_page_num: page }) => name === nameOf(answer, one) && one.page === `page ${page + 1}`,
    ),
  );
}

function rightShare({ doc_name: name }: Question, answer: Answer): number {
  const { passages } = answer;
  return passages.filter((one) => nameOf(answer, one) === name).length / Math.max(1, passages.length);
}

function pdfOf(folder: string, name: string): string {
  return join(folder, 'pdfs', `${name}.pdf`);
}

/** Uploads the documents and waits until they are searchable. */
async function upload(server: Running, folder: string, names: readonly string[]): Promise<string> {
  const { knowledge_base_id: base } = await server.ask('wiki', 'create_knowledge_base', { name: 'Reports' });
  const ids: unknown[] = [];
  for (const name of names) {
    const content = readFileSync(pdfOf(folder, name)).toString('base64');
    const file = { knowledge_base_id: base, file_name: `${name}.pdf`, content };
    ids.push((await server.ask('wiki', 'upload_knowledge', file))['media_id']);
  }
  for (;;) {
    const { is_done: isDone } = await server.ask('wiki', 'get_knowledge_state', { media_ids: ids, wait_seconds: 20 });
    if (isDone === true) return String(base);
  }
}
