import fs, { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';

type Calls = Record<string, (...args: unknown[]) => Promise<unknown>>;

const probe = await open(import.meta.filename);
const ofHandles: Calls = Object.getPrototypeOf(probe);
const ofModule: Calls = Object(fs);
await probe.close();

/**
 * Notes each call that asks something of the disk, as its name and path, until the disk is repaired. A call fails
 * with EIO, without being made, where `fails` says so of the log that ends with it.
 */
export function watchDisk(fails: (log: string[]) => boolean = () => false): string[] {
  const log: string[] = [];
  const paths = new WeakMap<object, string>();

  function watch(target: Calls, name: string, pathOf: (self: object, args: unknown[]) => unknown): void {
    const real = target[name];
    if (!real) throw new Error(`There is no ${name}`);
    mock.method(target, name, async function watched(this: object, ...args: unknown[]) {
      const path = String(pathOf(this, args));
      log.push(`${name} ${path}`);
      if (fails(log)) throw Object.assign(new Error(`${name} failed`), { code: 'EIO' });
      const result = await Reflect.apply(real, this, args);
      if (name === 'open' && result instanceof Object) paths.set(result, path);
      return result;
    });
  }

  for (const name of ['open', 'mkdir']) watch(ofModule, name, (_, [path]) => path);
  watch(ofModule, 'rename', (_, [, to]) => to);
  for (const name of ['writeFile', 'sync', 'stat']) watch(ofHandles, name, (self) => paths.get(self));
  syncBuiltinESMExports();
  return log;
}

/** Ends the watch and the faults. */
export function repairDisk(): void {
  mock.restoreAll();
  syncBuiltinESMExports();
}
