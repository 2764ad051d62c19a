// A thread of its own: what the attack does to the process that attacks must not count. Works until told to stop.
import { parentPort, workerData } from 'node:worker_threads';

const { url, headers, sheet, note_id } = workerData;
const post = async (path, input) => {
  const answer = await fetch(`${url}/openapi/${path}`, { method: 'POST', headers, body: JSON.stringify(input) });
  const { code, msg } = await answer.json();
  if (code !== 0) throw new Error(`${path}: ${msg}`);
};
const works = {
  healthzMs: () => fetch(`${url}/healthz`).then((answer) => answer.text()),
  editMs: () => post('sheet/v1/set_cell_value', { ...sheet, cell: { row: 0, col: 0, value_type: 'NUMBER', number_value: Math.random() } }),
  noteMs: () => post('note/v1/append_doc', { note_id, content_format: 1, content: 'more' }),
};
const figures = { healthzMs: 0, editMs: 0, noteMs: 0, isAlive: true };
let isOver = false;

async function repeat(name, pauseMs) {
  while (!isOver && figures.isAlive) {
    const started = performance.now();
    await works[name]().catch(() => (figures.isAlive = false));
    figures[name] = Math.max(figures[name], Math.round(performance.now() - started));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

// The first of each warms up what the attack is not to blame for.
for (const work of Object.values(works)) await work();
parentPort.once('message', () => (isOver = true));
parentPort.postMessage('ready');
await Promise.all([repeat('healthzMs', 20), repeat('editMs', 50), repeat('noteMs', 50)]);
parentPort.postMessage(figures);
