import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { PersistentVolumeClaim, Service } from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { renderChart } from './render-chart.ts';

export const CHART = join(import.meta.dirname, '../../../deploy/helm/carepost');
/** What Kubernetes takes, by its kind. */
export const MODELS = {
  Deployment,
  StatefulSet,
  HorizontalPodAutoscaler,
  Job,
  Ingress,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  Service,
};
/** Of the operator of Prometheus, whose schemas are not here. */
export const OF_OTHERS = 'ServiceMonitor';

export type Labels = Record<string, string>;

interface Port {
  name: string;
  containerPort?: number;
  port?: number;
  targetPort?: string;
}

interface Probe {
  httpGet: { path: string; port: string };
}

interface PodSpec {
  securityContext: { runAsNonRoot: boolean; seccompProfile: object };
  automountServiceAccountToken: boolean;
  enableServiceLinks: boolean;
  terminationGracePeriodSeconds: number;
  imagePullSecrets?: object[];
  containers: {
    image: string;
    env: { name: string; value: string }[];
    envFrom: object[];
    args?: string[];
    ports?: Port[];
    startupProbe?: Probe;
    readinessProbe?: Probe;
    livenessProbe?: Probe;
    securityContext: object;
    volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
  }[];
  volumes: { name: string; persistentVolumeClaim?: { claimName: string } }[];
}

interface Rule {
  from?: object[];
  ports: { port: string }[];
}

export interface Manifest {
  apiVersion: string;
  kind: keyof typeof MODELS | typeof OF_OTHERS;
  metadata: { name: string; labels: Labels; annotations?: Labels };
  spec: {
    replicas?: number;
    strategy?: { type: string };
    selector?: Labels | { matchLabels: Labels };
    podSelector?: { matchLabels: Labels };
    template?: { metadata: { labels: Labels; annotations?: Labels }; spec: PodSpec };
    ports?: Port[];
    ingress?: Rule[];
    endpoints?: { port: string }[];
    jobLabel?: string;
    volumeClaimTemplates?: { metadata: { name: string } }[];
    scaleTargetRef?: { name: string };
  };
}

export type Values = Record<string, Record<string, unknown>>;

/** A file of the chart. */
export const readChart = (name: string) => readFileSync(join(CHART, name), 'utf8');
/** The values that the chart has by itself. */
export const defaults = () => parse(readChart('values.yaml')) as Values;
/** Whether the schema of the chart takes values. */
export const isAllowed = new Ajv({ strict: false }).compile(JSON.parse(readChart('values.schema.json')) as object);

/** The values of the chart with all of it switched on. */
export function everything(): Values {
  const values = defaults();
  return {
    ...values,
    settings: { CAREPOST_DELIVERY: 'direct', CAREPOST_RETURN_PATH_DOMAIN: 'returns.example.org' },
    smtp: { ...values.smtp, bounces: { enabled: true } },
    backup: { ...values.backup, enabled: true, copies: { storage: '2Ti', storageClass: 'far' } },
    metrics: { enabled: true, serviceMonitor: { enabled: true, labels: { release: 'prometheus' } } },
  };
}

/** The manifests that Helm would send, for values that the schema takes. */
export function render(values: Values): Manifest[] {
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
export const podsOf = (manifests: Manifest[]) =>
  manifests.flatMap(({ kind, spec }) => (spec.template === undefined ? [] : [{ kind, spec, pod: spec.template }]));

/** The one of a kind and a name, as `Deployment main-carepost-http`. */
export function find(manifests: Manifest[], wanted: string): Manifest {
  const found = manifests.find(({ kind, metadata }) => `${kind} ${metadata.name}` === wanted);
  assert.ok(found !== undefined, wanted);
  return found;
}

/** The only container of what runs a part. */
export function containerOf(manifests: Manifest[], wanted: string) {
  const [container] = find(manifests, wanted).spec.template?.spec.containers ?? [];
  assert.ok(container !== undefined, wanted);
  return container;
}
