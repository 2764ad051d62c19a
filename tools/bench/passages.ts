import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atLeast, report } from './measure/figures.ts';
import { startServer, type Running } from './measure/servers.ts';

/**
 * Measures search_passages over annual reports: uploads the PDFs of FinanceBench (github.com/patronus-ai/financebench, a
 * checkout of it in the given folder) to the built product, asks the questions, and counts how often a page of the evidence
 * is among ten passages, and how many passages are from the document that answers. Half of the questions, by the hash of
 * their ids, are left for checking.
 *
 *   npm run bench -- passages FOLDER
 */
interface Question {
  financebench_id: string;
  question: string;
  doc_name: string;
  evidence: { doc_name: string; evidence_page_num: number }[];
}

interface Answer {
  documents: { title: string }[];
  passages: { document: number; page?: string }[];
}

const limit = 10;

export async function run([folder = '']: readonly string[] = []): Promise<void> {
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
  const server = await startServer();
  try {
    const base = await upload(server, folder, names);
    const before = await server.cpuSeconds();
    let [pages, share] = [0, 0];
    for (const question of questions) {
      const input = { query: question.question, knowledge_base_id: base, limit, max_tokens: 100_000 };
      const { documents, passages } = (await server.ask('wiki', 'search_passages', input)) as unknown as Answer;
      const nameOf = ({ document }: Answer['passages'][number]): string => documents[document]!.title.slice(0, -4);
      const isEvidence = (one: Answer['passages'][number]): boolean =>
        question.evidence.some(
          ({ doc_name: name, evidence_page_num: page }) => name === nameOf(one) && one.page === `page ${page + 1}`,
        );
      if (passages.some(isEvidence)) pages += 1;
      share += passages.filter((one) => nameOf(one) === question.doc_name).length / Math.max(1, passages.length);
    }
    const seconds = ((await server.cpuSeconds()) - before) / questions.length;
    report(`passages, FinanceBench: ${names.length} documents, ${questions.length} questions`, [
      atLeast('evidence page among ten passages, %', (100 * pages) / questions.length, 40),
      atLeast('passages of the right document, %', (100 * share) / questions.length, 65),
      { what: 'processor milliseconds a question', value: (1000 * seconds).toFixed(0) },
    ]);
  } finally {
    await server.stop();
  }
}

function pdfOf(folder: string, name: string): string {
  return join(folder, 'pdfs', `${name}.pdf`);
}

/** Uploads the documents and waits until they are found. */
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
