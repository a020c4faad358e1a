// The product with all its mail going to one peer, given as JSON in BENCH_PEER, in place of the sandbox.
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import type { Target } from '../src/email/index.ts';
import { openInstallation } from '../src/installation.ts';

const installation = await openInstallation(readConfig(process.env), { keepsDatabase: true });
const app = await createApp(installation, { peer: JSON.parse(process.env.BENCH_PEER as string) as Target });
await app.start();
const asked = new Promise((resolve) => process.once('SIGTERM', resolve));
process.stdout.write('serving\n');
await asked;
await app.stop();
await installation.close();
process.exit(0);
