// Shows what changed in a note, as note_diff_note returned it, and takes the change back if asked to.
import { act, callTool, connect, dataOf, element, render, request, status } from './bridge.js';

function lineOf(line) {
  const kind = /^\+(?!\+\+)/.test(line) ? 'added' : /^-(?!--)/.test(line) ? 'removed' : 'same';
  return element('span', { class: kind }, line === '' ? ' ' : line);
}

/** Restores a version. Hosts pass on only tools that they list, so the call goes by the tool that calls others. */
async function restore(args) {
  try {
    return await callTool('note_restore_note_version', args);
  } catch (error) {
    if (!/tool/i.test(error.message)) throw error;
    return callTool('call_tool', { name: 'note_restore_note_version', arguments: args });
  }
}

connect((result) => {
  const { note_id: id, from_version: from, to_version: to, diff = '', is_cut: isCut } = dataOf(result);
  const tell = (text) =>
    request('ui/update-model-context', { content: [{ type: 'text', text }] }).catch(() => undefined);
  const accept = element(
    'button',
    {
      type: 'button',
      onclick: () =>
        act(accept, async () => {
          await tell(`The person accepted version ${to} of the note ${id}.`);
          finish('Accepted.');
        }),
    },
    'Accept',
  );
  const takeBack = element(
    'button',
    {
      type: 'button',
      onclick: () =>
        act(takeBack, async () => {
          await restore({ note_id: id, version: from });
          await tell(`The person took the change back: the note ${id} has the text of version ${from} again.`);
          finish(`Taken back to version ${from}.`);
        }),
    },
    'Take back',
  );
  function finish(text) {
    accept.disabled = true;
    takeBack.disabled = true;
    status.textContent = text;
  }
  const scroll = element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Changes' });
  scroll.append(element('pre', {}, ...diff.split('\n').map(lineOf)));
  status.textContent = isCut ? 'The rest of the changes is not shown.' : '';
  render(
    element('h1', {}, diff === '' ? 'No difference' : `Version ${from} to ${to}`),
    scroll,
    element('div', { class: 'actions' }, accept, takeBack),
  );
});
