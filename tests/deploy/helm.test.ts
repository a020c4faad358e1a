import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { SETTINGS } from '../../src/settings.ts';
import { renderChart } from './helm/render-chart.ts';

const CHART = join(import.meta.dirname, '../../deploy/helm/carepost');
const MODELS = {
  Deployment,
  StatefulSet,
  HorizontalPodAutoscaler,
  Job,
  Ingress,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
};

type Labels = Record<string, string>;

interface PodSpec {
  securityContext: { runAsNonRoot: boolean; seccompProfile: object };
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds: number;
  imagePullSecrets?: object[];
  containers: {
    image: string;
    env: { name: string; value: string }[];
    envFrom: object[];
    securityContext: object;
    volumeMounts: { name: string }[];
  }[];
  volumes: { name: string }[];
}

interface Manifest {
  apiVersion: string;
  kind: keyof typeof MODELS;
  metadata: { name: string; annotations?: Labels };
  spec: {
    replicas?: number;
    selector?: Labels | { matchLabels: Labels };
    podSelector?: { matchLabels: Labels };
    template?: { metadata: { labels: Labels }; spec: PodSpec };
    volumeClaimTemplates?: { metadata: { name: string } }[];
    scaleTargetRef?: { name: string };
  };
}

type Values = Record<string, Record<string, unknown>>;

const readChart = (name: string) => readFileSync(join(CHART, name), 'utf8');
const defaults = () => parse(readChart('values.yaml')) as Values;
const isAllowed = new Ajv({ strict: false }).compile(JSON.parse(readChart('values.schema.json')) as object);

function render(values: Values): Manifest[] {
  assert.ok(isAllowed(values), JSON.stringify(isAllowed.errors));
  const texts = [...renderChart(CHART, 'main', values).values()];
  return texts.flatMap((text) =>
    parseAllDocuments(text).flatMap((document) => {
      assert.deepEqual(document.errors, [], text);
      const manifest = document.toJS() as Manifest | null;
      return manifest === null ? [] : [manifest];
    }),
  );
}

/** What runs pods, with the template of them. */
const podsOf = (manifests: Manifest[]) =>
  manifests.flatMap(({ kind, spec }) => (spec.template === undefined ? [] : [{ kind, spec, pod: spec.template }]));
const named = (manifests: Manifest[]) => manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted();

test('with its own values the chart gives what Kubernetes takes, one Deployment or StatefulSet for each role', () => {
  const manifests = render(defaults());
  for (const manifest of manifests) {
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
  for (const { kind, spec, pod } of podsOf(render(defaults()))) {
    const { securityContext, containers, volumes, automountServiceAccountToken } = pod.spec;
    assert.equal(securityContext.runAsNonRoot, true);
    assert.deepEqual(securityContext.seccompProfile, { type: 'RuntimeDefault' });
    assert.equal(automountServiceAccountToken, false);
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
  const manifests = render(defaults());
  const labels = podsOf(manifests).map(({ pod }) => JSON.stringify(pod.metadata.labels));
  for (const { kind, spec } of manifests) {
    const wanted = spec.podSelector ?? spec.selector;
    if (wanted === undefined) continue;
    const text = JSON.stringify('matchLabels' in wanted ? wanted.matchLabels : wanted);
    assert.ok(labels.includes(text), `${kind} ${text}`);
  }
  const scaler = manifests.find(({ kind }) => kind === 'HorizontalPodAutoscaler');
  assert.equal(scaler?.spec.scaleTargetRef?.name, 'main-carepost-http');
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
    ['trustedProxies', []],
    ['settings', { CAREPOST_DELIVERY: 1 }],
    ['settings', { DELIVERY: 'direct' }],
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
