// Speaks JSON-RPC with the host of an MCP App over postMessage (io.modelcontextprotocol/ui, 2026-01-26). The view shows
// data as text only: what it gets from tools never becomes markup.
const host = window.parent;
const waiting = new Map();
let lastId = 0;

function send(message) {
  // The host's origin is not known to the view; the host shows it in a sandbox and checks what it is sent.
  host.postMessage({ jsonrpc: '2.0', ...message }, '*');
}

export function request(method, params) {
  const id = ++lastId;
  send({ id, method, params });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

/** Calls a tool of the server through the host. Throws the error of a tool that refuses. */
export async function callTool(name, args) {
  const result = await request('tools/call', { name, arguments: args });
  if (result.isError) throw new Error(errorOf(result));
  return result;
}

function errorOf(result) {
  const text = result.content?.[0]?.text ?? '';
  try {
    return JSON.parse(text).msg ?? text;
  } catch {
    return text;
  }
}

export function dataOf(result) {
  return result.structuredContent ?? JSON.parse(result.content?.[0]?.text ?? '{}');
}

/** Connects to the host. `show` gets each result of the tool with the arguments it was called with. */
export function connect(show) {
  let input = {};
  window.addEventListener('message', ({ source, data }) => {
    if (source !== host || data?.jsonrpc !== '2.0') return;
    if (data.method === undefined) {
      const { resolve, reject } = waiting.get(data.id) ?? {};
      waiting.delete(data.id);
      if (data.error) reject?.(new Error(data.error.message));
      else resolve?.(data.result ?? {});
    } else if (data.method === 'ui/notifications/tool-input') input = data.params?.arguments ?? {};
    else if (data.method === 'ui/notifications/tool-result') {
      if (data.params?.isError) showError(errorOf(data.params));
      else show(data.params, input);
    } else if (data.method === 'ui/notifications/host-context-changed') applyContext(data.params);
    else if (data.id !== undefined) send({ id: data.id, result: {} });
  });
  void request('ui/initialize', {
    appCapabilities: {},
    appInfo: { name: document.title, version: '1' },
    protocolVersion: '2026-01-26',
  }).then((answer) => {
    applyContext(answer.hostContext);
    send({ method: 'ui/notifications/initialized', params: {} });
    new ResizeObserver(() => {
      const { width, height } = document.documentElement.getBoundingClientRect();
      send({ method: 'ui/notifications/size-changed', params: { width: Math.ceil(width), height: Math.ceil(height) } });
    }).observe(document.documentElement);
  });
}

function applyContext(context) {
  if (context?.theme === 'light' || context?.theme === 'dark')
    document.documentElement.style.colorScheme = context.theme;
  for (const [name, value] of Object.entries(context?.styles?.variables ?? {}))
    if (name.startsWith('--') && typeof value === 'string') document.documentElement.style.setProperty(name, value);
}

/** Makes an element with attributes and children; texts become text nodes. */
export function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (key === 'onclick') made.addEventListener('click', value);
    else if (value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

const main = document.querySelector('main');
export const status = element('p', { role: 'status', class: 'soft' });

export function render(...children) {
  main.replaceChildren(...children, status);
}

function showError(message) {
  status.textContent = message;
  if (!status.isConnected) main.append(status);
}

/** Runs what a button does; while it runs the button is disabled, and a failure is shown. */
export async function act(button, work) {
  button.disabled = true;
  try {
    await work();
  } catch (error) {
    showError(error.message);
    button.disabled = false;
  }
}
