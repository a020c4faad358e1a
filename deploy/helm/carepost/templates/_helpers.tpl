{{- define "carepost.name" -}}
{{- printf "%s-carepost" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "carepost.labels" -}}
app.kubernetes.io/name: carepost
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end -}}

{{- define "carepost.metadata" -}}
name: {{ include "carepost.name" .root }}-{{ .part }}
labels:
  {{- include "carepost.labels" . | nindent 2 }}
  app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
  app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end -}}

{{- define "carepost.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "carepost.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
# What is in a volume already keeps its modes, and a large one is not gone through at each start.
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "carepost.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- /* What every container of the product is told; .roles names what it does. */ -}}
{{- define "carepost.environment" -}}
- name: CAREPOST_ROLES
  value: {{ .roles | quote }}
# Within the volume, which its group may write, so that it is the product's alone.
- name: CAREPOST_DATA_DIR
  value: /data/carepost
- name: CAREPOST_PUBLIC_URL
  value: {{ .root.Values.publicUrl | quote }}
- name: CAREPOST_TRUSTED_PROXIES
  value: {{ join "," .root.Values.trustedProxies | quote }}
# The kubelet asks there, and comes from outside of the pod.
- name: CAREPOST_METRICS_HOST
  value: 0.0.0.0
- name: CAREPOST_METRICS_PORT
  value: '9464'
{{- range $name, $value := .root.Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "carepost.metricsPort" -}}
- name: metrics
  containerPort: 9464
{{- end -}}

{{- /* While the database is away a pod gets no requests; ending it would not bring the database back. */ -}}
{{- define "carepost.probes" -}}
startupProbe:
  httpGet:
    path: /healthz
    port: metrics
  periodSeconds: 2
  timeoutSeconds: 5
  failureThreshold: 60
readinessProbe:
  httpGet:
    path: /readyz
    port: metrics
  periodSeconds: 5
  timeoutSeconds: 5
livenessProbe:
  httpGet:
    path: /healthz
    port: metrics
  periodSeconds: 10
  timeoutSeconds: 5
{{- end -}}

{{- define "carepost.scraped" -}}
prometheus.io/scrape: 'true'
prometheus.io/port: '9464'
prometheus.io/path: /metrics
{{- end -}}

{{- define "carepost.spread" -}}
- maxSkew: 1
  topologyKey: kubernetes.io/hostname
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "carepost.labels" . | nindent 6 }}
{{- end -}}

{{- define "carepost.volumes" -}}
- name: keys
  secret:
    secretName: {{ .Values.secrets.masterKey }}
    defaultMode: 0440
- name: tmp
  emptyDir: {}
{{- end -}}

{{- define "carepost.mounts" -}}
- name: keys
  mountPath: /keys
  readOnly: true
- name: tmp
  mountPath: /tmp
- name: data
  mountPath: /data
{{- end -}}
