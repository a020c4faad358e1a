import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { startApp } from '../support/app.ts';
import { findDebianPackage } from '../support/debian-package.ts';
import { scrape } from './scrape.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const RULES = join(ROOT, 'deploy', 'prometheus');
const SECTIONS = ['What it means', 'See first', 'Causes', 'What to do', 'When it is over'];
const METRIC = /\b(?:carepost|nodejs|process)_\w+/g;

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { refId: string; expr: string; datasource: { uid: string } }[];
}

const rules: Rule[] = parse(readFileSync(join(RULES, 'alerts.yml'), 'utf8')).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
);
const board = JSON.parse(readFileSync(join(ROOT, 'deploy', 'grafana', 'carepost.json'), 'utf8'));
const panels: Panel[] = board.panels;
const queries = panels.flatMap(({ targets = [] }) => targets);

function promtool(...args: string[]): void {
  const { root, libraries } = findDebianPackage('prometheus', 'usr/bin/promtool');
  const env = { LD_LIBRARY_PATH: libraries };
  const { status, stdout, stderr } = spawnSync(join(root || '/', 'usr/bin/promtool'), args, { env, encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}${stderr}`);
}

function inFolder(t: TestContext, name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-rules-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

test('Prometheus takes the alerts and the settings, and each alert fires when it should', () => {
  promtool('check', 'config', join(RULES, 'prometheus.yml'));
  promtool('check', 'rules', join(RULES, 'alerts.yml'));
  promtool('test', 'rules', join(RULES, 'alerts.test.yml'));
  const { tests } = parse(readFileSync(join(RULES, 'alerts.test.yml'), 'utf8'));
  const tested = tests.map(({ name }: { name: string }) => name);
  assert.deepEqual(tested.toSorted(), rules.map(({ alert }) => alert).toSorted());
});

test('Prometheus and the runbooks ask at the port that the settings in deploy/ open', () => {
  const settings = readFileSync(join(ROOT, 'deploy', 'systemd', 'carepost.env'), 'utf8');
  const at = `127.0.0.1:${/^CAREPOST_METRICS_PORT=(\d+)$/m.exec(settings)?.[1]}`;
  const { scrape_configs: jobs } = parse(readFileSync(join(RULES, 'prometheus.yml'), 'utf8'));
  assert.deepEqual(jobs[0].static_configs, [{ targets: [at] }]);
  const pages = rules.map(({ annotations }) => readFileSync(join(ROOT, annotations.runbook), 'utf8')).join('');
  const asked = new Set([...pages.matchAll(/curl -s ([\w.:]+)\/metrics/g)].map(([, place]) => place));
  assert.deepEqual(asked, new Set([at]));
});

test('each alert says how bad it is and has a page that says what to do', () => {
  assert.ok(rules.length > 20);
  for (const { alert, labels, annotations } of rules) {
    assert.match(labels.severity, /^(warning|critical)$/);
    assert.ok(annotations.summary.length > 10);
    assert.equal(annotations.runbook, `docs/runbooks/${alert}.md`);
    const lines = readFileSync(join(ROOT, annotations.runbook), 'utf8').trimEnd().split('\n');
    assert.ok(lines.length <= 40, `${alert} has ${lines.length} lines`);
    assert.equal(lines[0], `# ${alert}`);
    const sections = lines.flatMap((line) => (line.startsWith('## ') ? [line.slice(3)] : []));
    assert.deepEqual(sections, SECTIONS, alert);
    assert.ok(lines.includes('```sh'), `${alert} names no command`);
  }
});

test('the board is whole: every panel has its place, its source, and expressions that Prometheus can read', (t) => {
  assert.ok(board.schemaVersion >= 39);
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
  );
  assert.equal(new Set(cells).size, cells.length, 'no panel covers another');
  assert.ok(panels.every(({ gridPos: { x, w } }) => x + w <= 24));
  const variables = board.templating.list.map(({ name }: { name: string }) => name);
  assert.deepEqual(variables, ['datasource', 'job']);
  for (const { datasource } of queries) assert.equal(datasource.uid, `\${datasource}`);
  const plain = queries.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'carepost'));
  assert.ok(plain.every((expr) => !expr.includes('$')));
  const recorded = plain.map((expr, at) => `      - record: panel_${at}\n        expr: ${JSON.stringify(expr)}\n`);
  promtool('check', 'rules', inFolder(t, 'board.yml', `groups:\n  - name: board\n    rules:\n${recorded.join('')}`));
});

/** The values that alerts ask for by their names; which routes there are is known by those who call them. */
function askedFor(expr: string): { name: string; label: string; value: string }[] {
  return [...expr.matchAll(/\b(carepost_\w+)\{([^}]*)\}/g)].flatMap(([, name = '', labels = '']) =>
    [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', value = '']) => ({ name, label, value })),
  );
}

test('a fresh process has a line for every value that an alert asks for, and for all of what alerts count', async (t) => {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http' } });
  const lines = await scrape(app);
  const asked = rules.flatMap(({ expr }) => askedFor(expr)).filter(({ name }) => !/http_request/.test(name));
  assert.ok(asked.length >= 8);
  for (const { name, label, value } of asked)
    assert.ok(
      lines.some((line) => line.name === name && line.labels[label] === value),
      `${name} ${label}="${value}"`,
    );
  const counters = new Set(rules.flatMap(({ expr }) => expr.match(/\bcarepost_\w+_total\b/g) ?? []));
  const valuesOf = (name: string) =>
    lines.filter((line) => line.name === name).map(({ labels }) => Object.values(labels));
  assert.deepEqual(Object.fromEntries([...counters].map((name) => [name, valuesOf(name).flat()])), {
    carepost_sign_in_failures_total: ['api', 'smtp', 'dashboard'],
    carepost_deliveries_total: ['delivered', 'refused', 'deferred', 'uncertain'],
    carepost_leases_expired_total: [],
    carepost_blob_errors_total: ['write', 'read', 'remove', 'list', 'missing'],
    carepost_file_scans_total: ['clean', 'infected', 'failed'],
  });
  assert.equal(valuesOf('carepost_leases_expired_total').length, 1);
});

const namesIn = (texts: string[]) => [...new Set(texts.flatMap((text) => text.match(METRIC) ?? []))];

test('every metric that alerts, board and runbooks name is one that the product tells', async (t) => {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http' } });
  const { text } = await app.request('GET', '/metrics');
  const told = new Set(text.split('\n').flatMap((line) => /^# TYPE (\w+) /.exec(line)?.[1] ?? []));
  const isTold = (name: string) => told.has(name) || told.has(name.replace(/_(bucket|count|sum)$/, ''));
  const pages = rules.map(({ annotations }) => readFileSync(join(ROOT, annotations.runbook), 'utf8'));
  const page = readFileSync(join(ROOT, 'docs', 'monitoring.md'), 'utf8');
  const exact = namesIn([...rules.map(({ expr }) => expr), ...queries.map(({ expr }) => expr), page]);
  assert.deepEqual(
    exact.filter((name) => !isTold(name)),
    [],
  );
  // A runbook may search for several at once by how they begin.
  const begins = (name: string) => [...told].some((each) => each.startsWith(name));
  assert.deepEqual(
    namesIn(pages).filter((name) => !isTold(name) && !begins(name)),
    [],
  );
  const own = [...told].filter((name) => name.startsWith('carepost_'));
  assert.deepEqual(
    own.filter((name) => !page.includes(`\`${name}\``)),
    [],
    'docs/monitoring.md leaves none out',
  );
  assert.ok((await scrape(app)).length > own.length);
});
