import type { Answer, Callable, Key } from '../../testing/call-client.ts';

/**
 * Formulas that crashed the calculation thread in earlier versions, or that use up the whole calculation budget of a
 * call.
 */
const hostileFormulas: readonly string[] = [
  '=LCM(SEQUENCE(1000))',
  `=REGEXEXTRACT(REPT("ab",16383),"(?:${'a|ab|b|'.repeat(100)}c)[yz]")`,
  '=SEARCH(REPT("?",16000)&"x",REPT("a",32767))+SUM(SEARCH(REPT("a?",SEQUENCE(200)+8000)&"x",REPT("a",32767)))',
  '=SUM(XLOOKUP(SEQUENCE(20000),SEQUENCE(20000,,20000,-1),SEQUENCE(20000),0,-1))',
  '=COUNTA(TEXTSPLIT(REPT("a",32767),REPT("a",SEQUENCE(1000)+15000)&"b"))',
  '=ROWS(PIVOTBY(SEQUENCE(20000),SEQUENCE(20000),SEQUENCE(20000),SUM))',
  '=SUM(MAP(SEQUENCE(2000,2000),LAMBDA(x,SUM(SEQUENCE(100)))))',
  // This formula stays just within the calculation budget. NOW causes a recalculation at every edit.
  '=NOW()*0+SUM(MAP(SEQUENCE(900,1000),LAMBDA(x,SUM(SEQUENCE(4))+x)))',
];

interface File {
  readonly file_id: string;
  readonly sheet_id: string;
}

export async function newFile(server: Callable, as?: Key): Promise<File> {
  const { file_id, sheet_id } = (await server.call('http', 'manage', 'create_file', { title: 'Sheet' }, as))
    .data as File;
  return { file_id, sheet_id };
}

export function setCell(
  server: Callable,
  file: File,
  row: number,
  content: number | string,
  as?: Key,
): Promise<Answer> {
  const value =
    typeof content === 'string'
      ? { value_type: 'FORMULA', formula: content }
      : { value_type: 'NUMBER', number_value: content };
  return server.call('http', 'sheet', 'set_cell_value', { ...file, row, col: 0, ...value }, as);
}

/**
 * Evaluates each hostile formula continuously for `lastsMs`, each by a separate user in a separate document. Returns
 * the responses.
 */
export async function attackSheets(server: Callable, lastsMs: number): Promise<Answer[]> {
  const users = await Promise.all(hostileFormulas.map(() => server.newUser()));
  const files = await Promise.all(users.map((user) => newFile(server, user)));
  const until = performance.now() + lastsMs;
  const answers = await Promise.all(
    hostileFormulas.map(async (formula, index) => {
      const own: Answer[] = [];
      for (let row = 0; performance.now() < until; row++)
        own.push(await setCell(server, files[index]!, row % 100, formula, users[index]));
      return own;
    }),
  );
  return answers.flat();
}

export const attack = {
  name: 'R7 eight documents that calculate without end',
  async run(server: Callable): Promise<void> {
    await attackSheets(server, 20_000);
  },
};
