// An owner of echo-process.ts that can be killed: prints the process that answers it and then waits for what never comes.
import { createOwnProcess } from '../../src/platform/jobs/own-process.ts';

setInterval(() => {}, 60_000); // a process that it waits for does not keep it
const script = new URL('./echo-process.ts', import.meta.url);
const echo = createOwnProcess<string, string, string>({ script, setup: 'hello', flags: [] });
process.stdout.write(`${await echo.ask('you')}\n`);
await echo.ask('never');
