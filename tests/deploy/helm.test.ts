import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { backup } from '../../src/cli/commands/backup.ts';
import { SETTINGS } from '../../src/settings.ts';
import {
  CHART,
  containerOf,
  defaults,
  everything,
  find,
  isAllowed,
  type Labels,
  type Manifest,
  MODELS,
  OF_OTHERS,
  podsOf,
  readChart,
  render,
} from './helm/manifests.ts';
import { renderChart } from './helm/render-chart.ts';

const SERVING = ['Deployment main-carepost-http', 'Deployment main-carepost-smtp', 'StatefulSet main-carepost-worker'];
const named = (manifests: Manifest[]) => manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted();

test('with its own values the chart gives what Kubernetes takes, one Deployment or StatefulSet for each role', () => {
  const manifests = render(defaults());
  for (const manifest of [...manifests, ...render(everything())]) {
    if (manifest.kind === OF_OTHERS) continue;
    const Model = MODELS[manifest.kind];
    assert.ok(Model !== undefined, `${manifest.kind} is none of those that are checked`);
    assert.equal(new Model().apiVersion, manifest.apiVersion);
    new Model(manifest as never).validate();
  }
  assert.deepEqual(named(manifests), [
    'Deployment main-carepost-http',
    'Deployment main-carepost-smtp',
    'HorizontalPodAutoscaler main-carepost-http',
    'Ingress main-carepost-http',
    'Job main-carepost-migrate',
    'NetworkPolicy main-carepost-http',
    'NetworkPolicy main-carepost-migrate',
    'NetworkPolicy main-carepost-smtp',
    'NetworkPolicy main-carepost-worker',
    'PodDisruptionBudget main-carepost-http',
    'PodDisruptionBudget main-carepost-smtp',
    'PodDisruptionBudget main-carepost-worker',
    'Service main-carepost-http',
    'Service main-carepost-smtp',
    'Service main-carepost-worker',
    'StatefulSet main-carepost-worker',
  ]);
});

test('no pod may more than it needs, and each gets settings that exist and secrets by reference', () => {
  for (const { kind, spec, pod } of podsOf(render(everything()))) {
    const { securityContext, containers, volumes, automountServiceAccountToken, enableServiceLinks } = pod.spec;
    assert.equal(securityContext.runAsNonRoot, true);
    assert.deepEqual(securityContext.seccompProfile, { type: 'RuntimeDefault' });
    assert.equal(automountServiceAccountToken, false);
    assert.equal(enableServiceLinks, false, 'a Service named carepost would look like unknown settings');
    const claims = (spec.volumeClaimTemplates ?? []).map((claim) => claim.metadata);
    const known = [...volumes, ...claims].map(({ name }) => name);
    for (const container of containers) {
      assert.deepEqual(container.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      for (const { name, value } of container.env) {
        assert.ok(Object.hasOwn(SETTINGS, name), name);
        assert.equal(typeof value, 'string');
      }
      assert.deepEqual(container.envFrom, [{ secretRef: { name: 'carepost-settings' } }]);
      assert.deepEqual(new Set(container.volumeMounts.map(({ name }) => name)), new Set(known));
    }
    if (kind === 'Job') continue;
    assert.deepEqual(spec.selector, { matchLabels: pod.metadata.labels });
    assert.ok(pod.spec.terminationGracePeriodSeconds > 30, 'longer than the product takes to stop');
  }
});

test('services, budgets, policies and the autoscaler find the pods that they are for', () => {
  const manifests = render(everything());
  const labels = podsOf(manifests).map(({ pod }) => pod.metadata.labels);
  for (const { kind, spec } of manifests) {
    const wanted = spec.podSelector ?? spec.selector;
    if (wanted === undefined || kind === OF_OTHERS) continue;
    const chosen = Object.entries('matchLabels' in wanted ? (wanted.matchLabels as Labels) : wanted);
    assert.ok(
      labels.some((known) => chosen.every(([name, value]) => known[name] === value)),
      `${kind} ${JSON.stringify(chosen)}`,
    );
  }
  const scaler = manifests.find(({ kind }) => kind === 'HorizontalPodAutoscaler');
  assert.equal(scaler?.spec.scaleTargetRef?.name, 'main-carepost-http');
});

test('each pod that serves is asked by the kubelet whether it lives and whether it can do its work', () => {
  const manifests = render(defaults());
  for (const part of SERVING) {
    const { env, ports, startupProbe, readinessProbe, livenessProbe } = containerOf(manifests, part);
    const setting = (name: string) => env.find((each) => each.name === name)?.value;
    assert.equal(setting('CAREPOST_METRICS_HOST'), '0.0.0.0', 'it asks at the address of the pod');
    const asked = ports?.find(({ name }) => name === 'metrics');
    assert.equal(String(asked?.containerPort), setting('CAREPOST_METRICS_PORT'));
    assert.deepEqual(startupProbe?.httpGet, { path: '/healthz', port: 'metrics' });
    assert.deepEqual(readinessProbe?.httpGet, { path: '/readyz', port: 'metrics' });
    assert.deepEqual(livenessProbe?.httpGet, { path: '/healthz', port: 'metrics' });
  }
});

/** Who may come to which port of a part, by its policy. */
function admitted(manifests: Manifest[], part: string): Record<string, object[] | undefined> {
  const { ingress = [] } = find(manifests, `NetworkPolicy main-carepost-${part}`).spec;
  return Object.fromEntries(ingress.flatMap(({ from, ports }) => ports.map(({ port }) => [port, from])));
}

test('metrics are for Prometheus where they are enabled, and for nobody else', () => {
  const [closed, open] = [render(defaults()), render(everything())];
  const { metricsFrom, webFrom } = defaults().networkPolicy as Record<string, object[]>;
  for (const part of ['http', 'smtp', 'worker']) {
    assert.ok(!('metrics' in admitted(closed, part)), part);
    assert.deepEqual(admitted(open, part).metrics, metricsFrom, part);
  }
  assert.deepEqual(admitted(closed, 'worker'), {});
  assert.deepEqual(admitted(open, 'backup'), {});
  assert.deepEqual(admitted(open, 'http').http, webFrom);
  for (const part of SERVING) {
    assert.equal(find(closed, part).spec.template?.metadata.annotations, undefined);
    assert.deepEqual(find(open, part).spec.template?.metadata.annotations, {
      'prometheus.io/scrape': 'true',
      'prometheus.io/port': '9464',
      'prometheus.io/path': '/metrics',
    });
  }
  assert.deepEqual(
    closed.filter(({ metadata }) => metadata.name.endsWith('-metrics')),
    [],
  );
  for (const { kind, metadata, spec } of open) {
    if (kind !== 'Service' || metadata.name === 'main-carepost-metrics') continue;
    assert.ok(!(spec.ports ?? []).some(({ name }) => name === 'metrics'), metadata.name);
  }
});

test('a ServiceMonitor finds the service of the metrics, as the job that the alerts ask for', () => {
  const manifests = render(everything());
  const monitor = find(manifests, 'ServiceMonitor main-carepost-metrics');
  const service = find(manifests, 'Service main-carepost-metrics');
  assert.equal(monitor.apiVersion, 'monitoring.coreos.com/v1');
  assert.equal(monitor.metadata.labels.release, 'prometheus');
  const { matchLabels } = monitor.spec.selector as { matchLabels: Labels };
  for (const [name, value] of Object.entries(matchLabels)) assert.equal(service.metadata.labels[name], value);
  assert.deepEqual(
    monitor.spec.endpoints?.map(({ port }) => port),
    service.spec.ports?.map(({ name }) => name),
  );
  const alerts = readFileSync(join(CHART, '../../prometheus/alerts.yml'), 'utf8');
  assert.match(alerts, new RegExp(`job="${service.metadata.labels[monitor.spec.jobLabel ?? '']}"`));
  for (const part of SERVING) {
    const names = containerOf(manifests, part).ports?.map(({ name }) => name) ?? [];
    assert.ok(names.includes(service.spec.ports?.[0]?.targetPort ?? ''), part);
  }
});

test('backups are made by one pod into two claims, which outlive the release', () => {
  assert.deepEqual(
    render(defaults()).filter(({ metadata }) => metadata.name.includes('-backup')),
    [],
  );
  const manifests = render(everything());
  const { replicas, strategy, template } = find(manifests, 'Deployment main-carepost-backup').spec;
  assert.deepEqual([replicas, strategy], [1, { type: 'Recreate' }]);
  const { args = [], volumeMounts, env } = containerOf(manifests, 'Deployment main-carepost-backup');
  const [name, ...words] = args;
  const { values } = parseArgs({ args: words, options: backup.options ?? {} });
  assert.deepEqual([name, values.every], [backup.name, '3m']);
  const volumeOf = (path: unknown) => {
    const mount = volumeMounts.find(({ mountPath }) => String(path).startsWith(`${mountPath}/`));
    assert.equal(mount?.readOnly, undefined);
    return template?.spec.volumes.find((volume) => volume.name === mount?.name)?.persistentVolumeClaim?.claimName;
  };
  const claims = [volumeOf(values.to), volumeOf(values['keys-to'])];
  assert.deepEqual(claims, ['main-carepost-backups', 'main-carepost-backup-keys']);
  for (const claim of claims) {
    const { metadata } = find(manifests, `PersistentVolumeClaim ${claim}`);
    assert.equal(metadata.annotations?.['helm.sh/resource-policy'], 'keep');
  }
  assert.ok(volumeMounts.some((mount) => mount.mountPath === '/keys' && mount.readOnly === true));
  assert.ok(env.every((each) => each.name !== 'CAREPOST_BOUNCE_PORT'));
});

/** Where returned mail comes in: at the pods, and at the service before them. */
function returnsOf(manifests: Manifest[]) {
  const { ports, env } = containerOf(manifests, 'Deployment main-carepost-smtp');
  return {
    setting: env.find(({ name }) => name === 'CAREPOST_BOUNCE_PORT')?.value,
    pod: ports?.find(({ name }) => name === 'bounces'),
    service: find(manifests, 'Service main-carepost-smtp').spec.ports?.find(({ port }) => port === 25),
  };
}

test('returned mail comes to port 25 where it is switched on, and needs the domain that it returns to', () => {
  const closed = render(defaults());
  assert.deepEqual(returnsOf(closed), { setting: undefined, pod: undefined, service: undefined });
  assert.ok(!('bounces' in admitted(closed, 'smtp')));
  const open = render(everything());
  const { setting, pod, service } = returnsOf(open);
  assert.deepEqual([service?.targetPort, setting], ['bounces', '2525']);
  assert.equal(String(pod?.containerPort), setting);
  assert.ok('bounces' in admitted(open, 'smtp'));
  assert.equal(admitted(open, 'smtp').bounces, undefined, 'from anywhere');
  const { settings: _, ...rest } = everything();
  assert.throws(() => renderChart(CHART, 'main', { ...rest, settings: {} }), /CAREPOST_RETURN_PATH_DOMAIN/);
});

test('the ingress keeps no addresses, which hold tokens of patients', () => {
  const ingress = render(defaults()).find(({ kind }) => kind === 'Ingress');
  assert.equal(ingress?.metadata.annotations?.['nginx.ingress.kubernetes.io/enable-access-log'], 'false');
});

test('what is switched off is not there, and a version is chosen by its tag', () => {
  const { image, http, smtp, ingress, networkPolicy, ...rest } = defaults();
  const manifests = render({
    ...rest,
    image: { ...image, tag: '0.2.0', pullSecrets: [{ name: 'registry' }] },
    http: { ...http, autoscaling: { enabled: false, maxReplicas: 3, cpuPercent: 70 } },
    smtp: { ...smtp, enabled: false },
    ingress: { ...ingress, enabled: false },
    networkPolicy: { ...networkPolicy, enabled: false },
  });
  assert.deepEqual([...new Set(manifests.map(({ kind }) => kind))].toSorted(), [
    'Deployment',
    'Job',
    'PodDisruptionBudget',
    'Service',
    'StatefulSet',
  ]);
  for (const { pod } of podsOf(manifests)) {
    assert.equal(pod.spec.containers[0]?.image, 'carepost:0.2.0');
    assert.deepEqual(pod.spec.imagePullSecrets, [{ name: 'registry' }]);
  }
  assert.equal(podsOf(manifests)[0]?.spec.replicas, 2);
});

test('values that make no sense are refused by the schema or by the templates', () => {
  const wrong: [string, unknown][] = [
    ['publicUrl', 'http://care.example.org'],
    ['publicUrl', 'https://example.org/care'],
    ['trustedProxies', []],
    ['settings', { CAREPOST_DELIVERY: 1 }],
    ['settings', { DELIVERY: 'direct' }],
    ['settings', { CAREPOST_METRICS_PORT: '9999' }],
    ['backup', { enabled: true }],
    ['backup', { ...defaults().backup, keys: { storage: 'much' } }],
    ['metrics', { enabled: 'yes', serviceMonitor: { enabled: false } }],
    ['smtp', { ...defaults().smtp, bounces: true }],
    ['networkPolicy', { enabled: true, webFrom: [] }],
    ['networkPolicy', { enabled: true, metricsFrom: [] }],
    ['worker', { replicas: 0, storage: '1Gi' }],
    ['secret', {}],
  ];
  for (const [name, value] of wrong) assert.ok(!isAllowed({ ...defaults(), [name]: value }), name);
  const { ingress, ...rest } = defaults();
  assert.throws(() => renderChart(CHART, 'main', { ...rest, ingress: { ...ingress, host: '' } }), /ingress\.host/);
});

test('the versions of the chart, of the image and of the product are one', () => {
  const { version } = JSON.parse(readFileSync(join(CHART, '../../../package.json'), 'utf8')) as { version: string };
  const chart = parse(readChart('Chart.yaml')) as { appVersion: string; version: string };
  assert.deepEqual([chart.appVersion, chart.version], [version, version]);
});
