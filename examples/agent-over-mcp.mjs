// An agent's turn over MCP: it looks at its tools, fills a spreadsheet and reads what the formulas made of it.
//   SHEAF_URL=http://127.0.0.1:8787 SHEAF_API_KEY=sk_... node examples/agent-over-mcp.mjs
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const { SHEAF_URL = 'http://127.0.0.1:8787', SHEAF_API_KEY } = process.env;
const agent = new Client({ name: 'example-agent', version: '1.0.0' });
await agent.connect(
  new StreamableHTTPClientTransport(new URL('/mcp', SHEAF_URL), {
    requestInit: { headers: { authorization: `Bearer ${SHEAF_API_KEY}` } },
  }),
);

/** A refusal says what to do about it; a real agent would read it and try again. */
async function use(name, input) {
  const { structuredContent, content, isError } = await agent.callTool({ name, arguments: input });
  if (isError) throw new Error(`${name}: ${content[0].text}`);
  return structuredContent;
}

const { tools } = await agent.listTools();
console.log(`${tools.length} tools`);

const { file_id, sheet_id } = await use('manage_create_file', { title: 'Harvest' });
const rows = [
  ['Field', 'Tons'],
  ['North', 42],
  ['South', 30],
  ['Total', '=SUM(B2:B3)'],
];
await use('sheet_append_rows', { file_id, sheet_id, rows });
const region = { start_row: 0, start_col: 0, end_row: 3, end_col: 1 };
const { csv_data } = await use('sheet_get_cell_data', { file_id, sheet_id, ...region, return_csv: true });
console.log(csv_data);
await agent.close();
