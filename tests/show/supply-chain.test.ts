import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { billOfMaterials, type Lock } from '../../scripts/sbom.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');
const lock = JSON.parse(read('package-lock.json')) as Lock & { packages: Record<string, { resolved?: string }> };
const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
const schemas = ['node_modules', '@cyclonedx', 'cyclonedx-library', 'res', 'schema'];
const schema = (name: string) => JSON.parse(read(...schemas, `${name}.SNAPSHOT.schema.json`)) as object;

interface Bom {
  components: { purl: string; scope: string; hashes: { alg: string; content: string }[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

test('docs/sbom.cdx.json is the lock file as a bill of materials: npm run docs', () => {
  assert.equal(read('docs', 'sbom.cdx.json'), billOfMaterials(lock));
});

test('the bill of materials is CycloneDX by its own schema', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  const validate = ajv.compile(schema('bom-1.6'));
  const bom = JSON.parse(billOfMaterials(lock)) as Bom;
  assert.equal(validate(bom), true, JSON.stringify(validate.errors?.slice(0, 3)));
  assert.equal(validate({ ...bom, components: [{ name: 'without a type' }] }), false);
});

test('the bill of materials has every package once, with its hash and all that it needs', () => {
  const { components, dependencies } = JSON.parse(billOfMaterials(lock)) as Bom;
  const purls = new Set(components.map(({ purl }) => purl));
  assert.equal(purls.size, components.length);
  for (const [folder, { version }] of Object.entries(lock.packages).filter(([name]) => name !== '')) {
    const name = folder.replace(/^.*node_modules\//, '').replace('@', '%40');
    assert.ok(purls.has(`pkg:npm/${name}@${version}`), folder);
  }
  const needed = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  for (const ref of [...needed.values()].flat()) assert.ok(purls.has(ref), ref);
  const direct = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  for (const [name, version] of direct)
    assert.ok(
      needed.get(`pkg:npm/carepost@${lock.version}`)?.includes(`pkg:npm/${name.replace('@', '%40')}@${version}`),
    );
  const required = components.filter(({ scope }) => scope === 'required').map(({ purl }) => purl);
  assert.ok(required.includes(`pkg:npm/fastify@${manifest.dependencies?.fastify}`));
  assert.equal(required.includes(`pkg:npm/knip@${manifest.devDependencies?.knip}`), false);
});

test('the bill of materials names no host and no time, and changes with the lock alone', () => {
  const bom = billOfMaterials(lock);
  const shuffled = { ...lock, packages: Object.fromEntries(Object.entries(lock.packages).toReversed()) };
  assert.equal(billOfMaterials(shuffled), bom);
  const hosts = bom.replaceAll(/"licenses":\[[^\]]*\]/g, '').match(/https?:\/\/[^"/]+/g);
  assert.deepEqual(hosts, ['http://cyclonedx.org']);
  const changed = structuredClone(lock);
  Object.assign(changed.packages['node_modules/pg'] as object, { version: '0.0.1' });
  assert.notEqual(billOfMaterials(changed), bom);
});

test('every locked package has a strong hash, comes from no address of its own, and direct ones are exact', () => {
  for (const [folder, { integrity, resolved }] of Object.entries(lock.packages)) {
    if (folder === '') continue;
    assert.match(integrity ?? '', /^sha512-[\w+/]{86}==$/, folder);
    assert.equal(resolved, undefined, folder);
  }
  const direct = [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies];
  for (const [name, version] of direct.flatMap((each) => Object.entries(each ?? {})))
    assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name);
});

test('packages run nothing when they are installed, and are saved as exact versions', () => {
  const settings = read('.npmrc').trim().split('\n');
  for (const setting of ['ignore-scripts=true', 'save-exact=true']) assert.ok(settings.includes(setting), setting);
});

test('every library that the product runs with has its reason in docs/decisions/0007-libraries.md', () => {
  const reasons = read('docs', 'decisions', '0007-libraries.md');
  const named = [...reasons.matchAll(/^\|[^|]+\|([^|]+)\|[^|]+\|$/gm)].map(([, taken]) => taken).join(' ');
  const isNamed = (name: string) =>
    named.split(/[\s,’']+/).some((word) => (word.endsWith('*') ? name.startsWith(word.slice(0, -1)) : word === name));
  const names = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  assert.deepEqual(
    names.filter((name) => !isNamed(name)),
    [],
  );
  assert.equal(isNamed('left-pad'), false);
});

test('SECURITY.md says how to report, what is answered when, and that no health data is to be sent', () => {
  const promises = read('SECURITY.md');
  for (const promise of [
    /Report a vulnerability privately/,
    /no health data/,
    /15 days/,
    /30/,
    /90 days/,
    /newest minor/,
  ])
    assert.match(promises, promise);
});
