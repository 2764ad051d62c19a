// npm run conformance -- FILE.jsonl ...: runs formula cases against the engine; FOLDER instead of a file: runs workbooks.
// npm run conformance -- mcp: runs the official MCP suite against the server.
const subject = process.argv[2] === 'mcp' ? process.argv.splice(2, 1)[0] : 'engine';
await import(`./conformance-${subject}.mjs`);
