{{- define "tollgate.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end }}
{{- end }}

{{/* Of: root, component. */}}
{{- define "tollgate.selector" -}}
app.kubernetes.io/name: {{ (index . 0).Chart.Name }}
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "tollgate.labels" -}}
{{ include "tollgate.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ (index . 0).Chart.Name }}-{{ (index . 0).Chart.Version }}
{{- end }}

{{/* What is the same in every pod. Of: root, component. */}}
{{- define "tollgate.pod" -}}
{{- $root := index . 0 -}}
automountServiceAccountToken: false
# With them, Kubernetes sets TOLLGATE_API_PORT and the like, which the gateway takes for its settings.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
  {{- if and (eq (index . 1) "worker") $root.Values.signer.enabled }}
  # Whose the volume with the signer's record is.
  fsGroup: 1000
  {{- end }}
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with $root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - topologyKey: {{ . }}
    maxSkew: 1
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "tollgate.selector" $ | nindent 8 }}
  {{- end }}
{{- end }}

{{/* What is the same in every container. Of: root, user. */}}
{{- define "tollgate.container" -}}
image: {{ (index . 0).Values.image | quote }}
securityContext:
  runAsUser: {{ index . 1 }}
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* Settings of the gateway that say where it is. Of: root. */}}
{{- define "tollgate.settings" -}}
- { name: TOLLGATE_ENVIRONMENT, value: {{ .Values.environment }} }
- { name: TOLLGATE_PUBLIC_API_URL, value: {{ .Values.urls.api | quote }} }
- { name: TOLLGATE_PUBLIC_CHECKOUT_URL, value: {{ .Values.urls.checkout | quote }} }
{{- with .Values.urls.console }}
- { name: TOLLGATE_PUBLIC_CONSOLE_URL, value: {{ . | quote }} }
{{- end }}
{{- if .Values.secrets.databaseCa.name }}
- { name: PGSSLMODE, value: verify-full }
{{- end }}
{{- end }}

{{/* Given settings. A large number is a float here, which would be written with an exponent. Of: root, prefix of their names. */}}
{{- define "tollgate.given" -}}
{{- $prefix := index . 1 }}
{{- with (index . 0).Values.trustProxy }}
- { name: {{ $prefix }}TRUST_PROXY, value: {{ join "," . | quote }} }
{{- end }}
{{- range $name, $value := (index . 0).Values.settings }}
{{- if hasPrefix $prefix $name }}
- { name: {{ $name }}, value: {{ kindIs "float64" $value | ternary (int64 $value) $value | toString | quote }} }
{{- end }}
{{- end }}
{{- end }}

{{/* The files that lead to the database: a map of settings. Of: root. */}}
{{- define "tollgate.databaseFiles" -}}
{{- $files := dict "TOLLGATE_DATABASE_URL_FILE" .Values.secrets.database }}
{{- if .Values.secrets.databaseCa.name }}
{{- $files = set $files "NODE_EXTRA_CA_CERTS" .Values.secrets.databaseCa }}
{{- end }}
{{- toJson $files }}
{{- end }}

{{/* The files of API and worker. Of: root. */}}
{{- define "tollgate.files" -}}
{{- $files := include "tollgate.databaseFiles" . | fromJson | merge (dict "TOLLGATE_MASTER_KEY_FILE" .Values.secrets.masterKey) }}
{{- if .Values.secrets.redis.name }}
{{- $files = set $files "TOLLGATE_REDIS_URL_FILE" .Values.secrets.redis }}
{{- end }}
{{- range $name, $file := .Values.files }}
{{- $files = set $files $name (dict "name" $file.name "key" $file.key "whole" true) }}
{{- end }}
{{- toJson $files }}
{{- end }}

{{/* Where the file of a setting lies, and what its volume is called. Of: name of the setting. */}}
{{- define "tollgate.volume" -}}
{{ . | trimPrefix "TOLLGATE_" | trimSuffix "_FILE" | lower | replace "_" "-" }}
{{- end }}

{{- define "tollgate.fileSettings" -}}
{{- range $name, $file := . }}
- { name: {{ $name }}, value: /etc/tollgate/{{ include "tollgate.volume" $name }}/{{ $file.key }} }
{{- end }}
{{- end }}

{{/* Of: map of settings. */}}
{{- define "tollgate.fileVolumes" -}}
- name: secrets
  emptyDir: { medium: Memory, sizeLimit: 8Mi }
{{- range $name, $file := . }}
- name: {{ include "tollgate.volume" $name }}
  secret:
    secretName: {{ $file.name }}
    {{- if not $file.whole }}
    items: [{ key: {{ $file.key }}, path: {{ $file.key }} }]
    {{- end }}
{{- end }}
{{- end }}

{{/* Files of a Secret are root's. Tollgate wants copies that its user alone may read. Of: root, user, volume of the copies, volumes. */}}
{{- define "tollgate.copies" -}}
- name: {{ index . 2 }}
  {{- include "tollgate.container" . | nindent 2 }}
  command:
    - sh
    - -euc
    - umask 077; cd /run/secrets; for each in */; do mkdir -p "/etc/tollgate/$each"; cp -fL "$each"* "/etc/tollgate/$each"; done
  resources:
    requests: { cpu: 10m, memory: 16Mi }
    limits: { memory: 64Mi }
  volumeMounts:
    - { name: {{ index . 2 }}, mountPath: /etc/tollgate }
    {{- range index . 3 }}
    - { name: {{ . }}, mountPath: /run/secrets/{{ . }}, readOnly: true }
    {{- end }}
{{- end }}

{{/* Of: root, map of settings. */}}
{{- define "tollgate.copiesOf" -}}
{{- $volumes := list }}
{{- range $name, $file := index . 1 }}
{{- $volumes = append $volumes (include "tollgate.volume" $name) }}
{{- end -}}
{{ include "tollgate.copies" (list (index . 0) 1000 "secrets" $volumes) }}
{{- end }}

{{/* Of: root, component. */}}
{{- define "tollgate.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "tollgate.name" (index . 0) }}-{{ index . 1 }}
  labels: {{- include "tollgate.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "tollgate.selector" . | nindent 6 }}
{{- end }}

{{/* Of: root, component, name of its port, number. */}}
{{- define "tollgate.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "tollgate.name" (index . 0) }}-{{ index . 2 }}
  labels: {{- include "tollgate.labels" . | nindent 4 }}
spec:
  selector: {{- include "tollgate.selector" . | nindent 4 }}
  ports:
    - { name: http, port: {{ index . 3 }}, targetPort: {{ index . 2 }} }
{{- end }}
