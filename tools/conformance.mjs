// npm run conformance -- FILE.jsonl ...: runs formula cases against the engine, or a FOLDER of workbooks. -- mcp: runs
// the official MCP suite against the server.
const subject = process.argv[2] === 'mcp' ? process.argv.splice(2, 1)[0] : 'engine';
await import(`./conformance-${subject}.mjs`);
