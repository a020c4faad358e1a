// Runs before anything is installed, on whatever Node the machine has (20 or newer), so it uses no package.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from './install-packages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'node_modules', '.carepost-installed');
const lock = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');
const wanted = `${lock} ${process.platform} ${process.arch}`;

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.log('Installing packages (first start only, about a minute) …');
  rmSync(stamp, { force: true }); // or half of this version would be taken for the whole of the one before
  const fault = await installPackages(root);
  if (fault !== null) {
    console.error(fault);
    process.exit(1);
  }
  // Made here rather than by a `bin` in package.json, for which npx would first install this very package
  // into its cache. It runs on the bundled Node, whoever calls it.
  const command = '#!/bin/sh\nhere=$(dirname "$0")\nPATH="$here:$PATH" exec node "$here/../../src/main.ts" "$@"\n';
  writeFileSync(join(root, 'node_modules', '.bin', 'carepost'), command, { mode: 0o755 });
  writeFileSync(stamp, wanted);
}

const own = join(root, 'node_modules', '.bin', 'node');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (!existsSync(own) && (major < 24 || (major === 24 && minor < 12))) {
  console.error(
    `Carepost needs Node 24.12 or newer, and no bundled one exists for ${process.platform} ${process.arch}.`,
  );
  process.exit(1);
}

// The script of the forms' page is made from sources and packages that may both be newer than it is.
const node = existsSync(own) ? own : process.execPath;
const { status: built } = spawnSync(node, [join(root, 'scripts', 'build-page.ts')], { stdio: 'inherit' });
if (built !== 0) console.error('Forms are shown without their script, as it could not be built.');
