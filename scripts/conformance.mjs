// npm run conformance -- FILE.jsonl ...: formula cases against the engine. -- mcp: the official MCP suite against the server.
const subject = process.argv[2] === 'mcp' ? process.argv.splice(2, 1)[0] : 'formulas';
await import(`./conformance-${subject}.mjs`);
