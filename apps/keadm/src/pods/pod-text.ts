import { cleanText } from '@fenestra/platform/terminal-text';
import type { Container, ContainerView, EndView, PodView } from '@fenestra/pods';
import { tableText } from '../cli/findings-text.ts';

const HEAD = ['NAMESPACE', 'NAME', 'READY', 'STATUS', 'RESTARTS', 'AGE', 'IP'];
const SECOND_MS = 1_000;
const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** The pods as a table. */
export function podListText(pods: readonly PodView[], now: number): string {
  if (pods.length === 0) return 'No pods';
  return tableText([HEAD, ...pods.map((pod) => rowOf(pod, now).map(cleanText))]);
}

function rowOf({ namespace, name, ready, total, status, restarts, createdAt, ip }: PodView, now: number) {
  return [namespace, name, `${ready}/${total}`, status, String(restarts), ageText(createdAt, now), ip ?? '-'];
}

/** A span of time in its largest two units, such as `3d4h`. */
export function ageText(since: number | undefined, now: number): string {
  if (since === undefined) return '-';
  const seconds = Math.max(0, Math.floor((now - since) / SECOND_MS));
  const index = UNITS.findIndex(([, length]) => seconds >= length);
  const unit = UNITS[index];
  if (unit === undefined) return `${seconds}s`;
  const next = UNITS[index + 1] ?? (['s', 1] as const);
  const rest = Math.floor((seconds % unit[1]) / next[1]);
  return `${Math.floor(seconds / unit[1])}${unit[0]}${rest === 0 ? '' : `${rest}${next[0]}`}`;
}

/** Everything about one pod. Each line is a label and a text; texts of others cannot add lines. */
export function podDescription(pod: PodView, now: number): string {
  const { definition, conditions } = pod;
  const volumes = definition?.spec.volumes ?? [];
  return [
    line('pod', `${pod.namespace}/${pod.name}`),
    line('uid', pod.uid),
    line('status', pod.message === undefined ? pod.status : `${pod.status}: ${pod.message}`),
    line('ready', `${pod.ready} of ${pod.total} containers`),
    line('age', ageText(pod.createdAt, now)),
    line('address', pod.ip ?? 'none'),
    ...(definition === undefined
      ? [line('definition', 'none on this node: only the container runtime has the pod')]
      : []),
    ...conditions.map(({ type, status, message }) =>
      line('condition', `${type} ${status}${message ? `: ${message}` : ''}`),
    ),
    ...pod.containers.flatMap((container) => containerLines(container, definitionOf(pod, container.name))),
    ...volumes.map(({ name, ...source }) => line('volume', `${name} (${Object.keys(source).join(', ')})`)),
  ].join('\n');
}

const LABEL_WIDTH = 12;

function line(label: string, text: string, indent = ''): string {
  return `${indent}${label.padEnd(LABEL_WIDTH - indent.length)}${cleanText(text)}`;
}

function definitionOf({ definition }: PodView, name: string): Container | undefined {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = definition?.spec ?? {};
  return [...containers, ...initContainers, ...ephemeralContainers].find((container) => container.name === name);
}

function containerLines(container: ContainerView, definition: Container | undefined): readonly string[] {
  const detail = (label: string, text: string): string => line(label, text, '  ');
  const mounts = definition?.volumeMounts ?? [];
  return [
    line('container', `${container.name}${container.role === 'regular' ? '' : ` (${container.role})`}`),
    detail('image', container.image),
    detail('state', stateText(container)),
    detail('ready', container.ready ? 'yes' : 'no'),
    detail('restarts', String(container.restarts)),
    ...(container.lastEnd === undefined ? [] : [detail('last end', endText(container.lastEnd))]),
    ...(definition === undefined ? [] : probesOf(definition).map((text) => detail('probe', text))),
    ...mounts.map(({ name, mountPath, readOnly }) =>
      detail('mount', `${mountPath} from ${name}${readOnly ? ', read-only' : ''}`),
    ),
  ];
}

function stateText({ state, reason, message, startedAt, end }: ContainerView): string {
  if (state === 'running') return `running${startedAt === undefined ? '' : ` since ${startedAt}`}`;
  if (end !== undefined) return `ended: ${endText(end)}`;
  const why = [reason, message].filter((text) => text !== undefined && text !== '').join(': ');
  return `waiting${why === '' ? '' : `: ${why}`}`;
}

/** In words what the reasons of the runtime mean. */
const REASONS: Readonly<Record<string, string>> = {
  OOMKilled: 'killed because it used more memory than its limit',
  Error: 'failed',
  Completed: 'done',
  ContainerCannotRun: 'it cannot run',
  Unknown: 'how it ended is not known',
};

function endText({ exitCode, reason, message, finishedAt }: EndView): string {
  const why = reason === undefined ? '' : `, ${REASONS[reason] ?? reason}`;
  return `exit code ${exitCode}${why}${message ? `: ${message.trim()}` : ''}${finishedAt ? `, at ${finishedAt}` : ''}`;
}

function probesOf({ livenessProbe, readinessProbe, startupProbe }: Container): readonly string[] {
  const probes = { liveness: livenessProbe, readiness: readinessProbe, startup: startupProbe };
  return Object.entries(probes).flatMap(([kind, probe]) => {
    if (probe === undefined) return [];
    const action = (['exec', 'httpGet', 'tcpSocket', 'grpc'] as const).find((name) => probe[name] !== undefined);
    return [
      `${kind}: ${action ?? 'none'} every ${probe.periodSeconds} s, fails after ${probe.failureThreshold} failures`,
    ];
  });
}
