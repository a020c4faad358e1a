// `npm run docs`: writes the pages that are generated from the code. A test fails where they are out of date.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { configurationPage } from '../src/configuration-page.ts';
import { openInstallation } from '../src/installation.ts';
import { createLog } from '../src/platform/log.ts';
import { clientTypes, type OpenApi } from './client-types.ts';
import { billOfMaterials, type Lock } from './sbom.ts';

const docs = join(import.meta.dirname, '..', 'docs');
const folder = mkdtempSync(join(tmpdir(), 'carepost-docs-'));
const installation = await openInstallation(readConfig({ CAREPOST_DATA_DIR: join(folder, 'data') }), {
  log: createLog('error'),
});
const app = await createApp(installation);
await app.server.ready();
mkdirSync(join(docs, 'api'), { recursive: true });
const openapi = app.server.swagger();
writeFileSync(join(docs, 'api', 'openapi.json'), `${JSON.stringify(openapi, null, 2)}\n`);
writeFileSync(join(docs, '..', 'web', 'api', 'operations.ts'), clientTypes(openapi as unknown as OpenApi));
writeFileSync(join(docs, 'configuration.md'), configurationPage());
const lock = JSON.parse(readFileSync(join(docs, '..', 'package-lock.json'), 'utf8')) as Lock;
writeFileSync(join(docs, 'sbom.cdx.json'), billOfMaterials(lock));
await app.stop();
await installation.close();
rmSync(folder, { recursive: true, force: true });
