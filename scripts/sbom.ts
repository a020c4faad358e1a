/** A package as package-lock.json names it, by the folder that it is installed in. */
interface LockedPackage {
  version?: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

export interface Lock {
  name: string;
  version: string;
  packages: Record<string, LockedPackage>;
}

const FOLDER = 'node_modules/';
const SPDX_ID = /^[\w.-]+$/;
const SPDX_EXPRESSION = /^\(?[\w.-]+(?: (?:AND|OR|WITH) [\w.-]+)+\)?$/;
const ALGORITHMS: Record<string, string> = { sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' };

/**
 * The bill of materials that a lock file amounts to, as CycloneDX 1.6. The same lock gives the same bytes: there is no
 * time and no serial number in it, and no host that packages come from.
 */
export function billOfMaterials(lock: Lock): string {
  const root = `pkg:npm/${lock.name}@${lock.version}`;
  const parts = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': root,
        name: lock.name,
        version: lock.version,
        purl: root,
        ...licensesOf(lock.packages['']?.license),
      },
    },
    components: componentsOf(lock),
    dependencies: dependenciesOf(lock, root),
  };
  const lines = Object.entries(parts).map(([name, part]) => ` ${JSON.stringify(name)}: ${inLines(part)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** A line for each component, so that a change of the lock is a change of few lines. */
function inLines(part: unknown): string {
  if (!Array.isArray(part)) return JSON.stringify(part);
  return `[\n${part.map((each) => `  ${JSON.stringify(each)}`).join(',\n')}\n ]`;
}

/** A package that is installed in several folders is one, and as much needed as the one that is needed most. */
function componentsOf({ packages }: Lock) {
  const installed = Object.entries(packages).filter(([folder]) => folder !== '');
  const neededLast = installed.toSorted(([, one], [, other]) => Number(isSpare(other)) - Number(isSpare(one)));
  const components = new Map(neededLast.map(([folder, each]) => [purl(folder, each), component(folder, each)]));
  return [...components].toSorted(byFirst).map(([, each]) => each);
}

function isSpare({ dev, devOptional, optional }: LockedPackage): boolean {
  return dev === true || devOptional === true || optional === true;
}

function component(folder: string, locked: LockedPackage) {
  const { version, license, integrity, dev } = locked;
  const [, group, name] = /^(?:(@[^/]+)\/)?(.+)$/.exec(nameOf(folder)) as unknown as [string, string?, string?];
  const ref = purl(folder, locked);
  return {
    type: 'library',
    'bom-ref': ref,
    ...(group === undefined ? {} : { group }),
    name,
    version,
    scope: isSpare(locked) ? 'optional' : 'required',
    ...(integrity === undefined ? {} : { hashes: hashesOf(integrity) }),
    ...licensesOf(license),
    purl: ref,
    ...(dev === true ? { properties: [{ name: 'cdx:npm:package:development', value: 'true' }] } : {}),
  };
}

/** What each package needs, wherever it is installed. */
function dependenciesOf({ packages }: Lock, root: string) {
  const needs = new Map<string, Set<string>>();
  for (const [folder, each] of Object.entries(packages)) {
    const ref = folder === '' ? root : purl(folder, each);
    const needed = needs.get(ref) ?? new Set();
    needs.set(ref, needed);
    for (const name of namesNeeded(each)) {
      const found = whereFound(packages, folder, name);
      if (found !== undefined) needed.add(purl(found, packages[found] as LockedPackage));
    }
  }
  return [...needs].toSorted(byFirst).map(([ref, needed]) => ({ ref, dependsOn: [...needed].toSorted() }));
}

function namesNeeded({ dependencies, devDependencies, optionalDependencies, peerDependencies }: LockedPackage) {
  return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies });
}

/** Node looks beside the package, then beside what holds it, up to the top. */
function whereFound(packages: Lock['packages'], folder: string, name: string): string | undefined {
  for (let from = folder; ; from = from.slice(0, Math.max(0, from.lastIndexOf(FOLDER) - 1))) {
    const wanted = `${from === '' ? '' : `${from}/`}${FOLDER}${name}`;
    if (packages[wanted] !== undefined) return wanted;
    if (from === '') return undefined;
  }
}

function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf(FOLDER) + FOLDER.length);
}

function purl(folder: string, { version }: LockedPackage): string {
  return `pkg:npm/${nameOf(folder).replace('@', '%40')}@${version}`;
}

function hashesOf(integrity: string) {
  return integrity.split(/\s+/).map((each) => {
    const [algorithm = '', digest = ''] = each.split('-');
    return { alg: ALGORITHMS[algorithm], content: Buffer.from(digest, 'base64').toString('hex') };
  });
}

function licensesOf(license: string | undefined) {
  if (license === undefined) return {};
  if (SPDX_ID.test(license)) return { licenses: [{ license: { id: license } }] };
  if (SPDX_EXPRESSION.test(license)) return { licenses: [{ expression: license }] };
  return { licenses: [{ license: { name: license } }] };
}

function byFirst([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}
