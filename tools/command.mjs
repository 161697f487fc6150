// `npm run operator`, `log`, `backup`, `restore`: a command of the server, built first where its sources changed.
import { pathToFileURL } from 'node:url';
import { ensure_server, program } from './build.mjs';
import { ensure_node } from './setup.mjs';

ensure_node();
await ensure_server();
const file = program(process.argv[2]);
// The command reads its own arguments: as if Node had been started with it.
process.argv.splice(1, 2, file);
await import(pathToFileURL(file));
