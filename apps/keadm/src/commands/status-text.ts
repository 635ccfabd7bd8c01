import type { DamagedObject } from '@fenestra/contracts';
import { AGENT_SERVICE, CLOUD_SERVICE } from '@fenestra/lifecycle';
import type { ServiceStatus } from '@fenestra/platform';
import { cleanText } from '@fenestra/platform/terminal-text';
import { OUTCOME_WORDS } from './history-entry.ts';
import type { CloudState, MachineStatus, NodeStatus, Unknown, WorkStatus } from './status-facts.ts';
import { serviceText, statusLines } from './status-lines.ts';

const { line, remedy } = statusLines(11);

/**
 * Whether the node on this machine works: its agent runs and is connected, the cloud has it, and no work is left open. Whether
 * it is ready for pods depends on more than this machine, and is shown but does not count. A cloud needs no node. What
 * could not be read is neither yes nor no.
 */
export function judgeHealth({ services, agent, node, work }: MachineStatus): boolean | Unknown {
  if ('unfinished' in work && work.underWay === undefined && work.unfinished.length > 0) return false;
  if (services.agent.state === 'absent') return services.cloud.state !== 'absent';
  if (services.agent.state !== 'running') return false;
  if ('unknown' in node) return node;
  if ('unknown' in work) return work;
  // An upstream agent says nothing about itself.
  return agent === undefined || (agent.connected === true && agent.node?.registered === true);
}

/** The status as people read it. */
export function statusText(status: MachineStatus): string {
  const { services, cloud } = status;
  const isNode = services.agent.state !== 'absent';
  return [
    ...(isNode && services.cloud.state === 'absent' ? [] : [line(CLOUD_SERVICE, serviceText(services.cloud))]),
    line(AGENT_SERVICE, `${serviceText(services.agent)}${status.agent?.connected === true ? ', connected' : ''}`),
    ...nodeLines(status),
    ...(isNode ? agentLines(status) : []),
    ...podLines(status),
    ...workLines(status),
    ...(cloud === undefined ? [] : cloudLines(cloud)),
  ].join('\n');
}

function nodeLines({ services, node }: MachineStatus): readonly string[] {
  const isNode = services.agent.state !== 'absent';
  if ('unknown' in node) return isNode ? unknownLines('node', node) : [];
  if (!isNode) return node.leftovers.length === 0 ? [] : leftoverLines(node.leftovers, services.cloud);
  const { name, version, cloudAddress, configProblem } = node;
  return [
    line('node', `${name ?? 'no name yet'}, version ${version ?? 'unknown'}`),
    ...(configProblem === undefined ? [] : [line('config', configProblem), remedy('Run "keadm config validate".')]),
    ...(cloudAddress === undefined ? [] : [line('cloud', cloudAddress)]),
    line('identity', identityText(node)),
  ];
}

function identityText({ certificateExpires, certificateProblem }: NodeStatus): string {
  if (certificateProblem !== undefined) return certificateProblem;
  return certificateExpires === undefined ? 'no certificate yet' : `valid until ${certificateExpires}`;
}

function unknownLines(label: string, { unknown, code }: Unknown): readonly string[] {
  const hint = code === 'ACCESS_DENIED' ? [remedy('Run the command as an administrator.')] : [];
  return [line(label, `unknown: ${unknown}`), ...hint];
}

/** On a machine that is a cloud, the folders are the cloud's. */
function leftoverLines(leftovers: readonly string[], cloud: ServiceStatus): readonly string[] {
  if (cloud.state !== 'absent') return [];
  return [
    line('node', `none, but there is "${leftovers.join('", "')}"`),
    remedy('To see what an earlier node left, run "keadm reset --dry-run".'),
  ];
}

function agentLines({ agent, services, node }: MachineStatus): readonly string[] {
  if ('unknown' in node) return [];
  if (agent === undefined) {
    return services.agent.state === 'running'
      ? [line('connected', 'unknown: the agent does not report its status')]
      : [];
  }
  const { connected, problem, node: registration } = agent;
  const hint = problem?.hint === undefined ? [] : [remedy(problem.hint)];
  const why = problem === undefined ? '' : `: ${problem.message}`;
  return [
    ...(connected === true ? [] : [line('connected', `no${why}`), ...hint]),
    ...(registration === undefined
      ? []
      : [line('registered', registration.registered ? 'yes' : 'no'), line('ready', readyText(registration))]),
  ];
}

function readyText({ ready, reason }: { readonly ready: string; readonly reason?: string | undefined }): string {
  if (ready === 'True') return 'yes';
  return `${ready === 'False' ? 'no' : 'unknown'}${reason === undefined ? '' : `: ${reason}`}`;
}

function podLines({ pods }: MachineStatus): readonly string[] {
  if (pods === undefined) return [];
  if ('unknown' in pods) return unknownLines('pods', pods);
  const states = Object.entries(pods.states);
  const total = states.reduce((sum, [, count]) => sum + count, 0);
  const unwell = pods.unwell.map(
    ({ pod, status, message }) => `  ${cleanText(`${pod}  ${status}${message === '' ? '' : `  (${message})`}`)}`,
  );
  return [line('pods', [total, ...states.map(([state, count]) => `${count} ${state}`)].join(', ')), ...unwell];
}

function workLines({ work, guardArmed }: MachineStatus): readonly string[] {
  const guard = guardArmed ? [line('guard', 'armed')] : [];
  if ('unknown' in work) return [...guard, ...unknownLines('changes', work)];
  return [...guard, ...underWayLines(work), ...lastLines(work)];
}

function underWayLines({ underWay, unfinished }: WorkStatus): readonly string[] {
  if (underWay !== undefined) return [line('changing', `"${underWay.command}", process ${underWay.pid}`)];
  return unfinished.flatMap(({ command, outcome, failure }) => [
    line('open', `"${command}" is ${OUTCOME_WORDS[outcome]}${failure === undefined ? '' : `: ${failure.message}`}`),
    remedy('Run "keadm recover" to finish or undo it.'),
  ]);
}

function lastLines({ last, underWay }: WorkStatus): readonly string[] {
  if (last === undefined || underWay !== undefined) return [];
  return [
    line(
      'changed',
      `${last.ended ?? last.began ?? 'at an unknown time'} by "${last.command}", ${OUTCOME_WORDS[last.outcome]}`,
    ),
  ];
}

function cloudLines(cloud: CloudState): readonly string[] {
  if ('unknown' in cloud) return unknownLines('nodes', cloud);
  const nodes = cloud.nodes.map(({ name, ready, version, reason }) => {
    const state = { True: 'Ready', False: 'NotReady', Unknown: 'Unknown' }[ready];
    return `  ${cleanText(name)}  ${state}  ${cleanText(version)}${ready === 'True' ? '' : `  (${cleanText(reason)})`}`;
  });
  return [line('nodes', `${cloud.nodes.length} at ${cloud.server}`), ...nodes, ...damageLines(cloud.damaged)];
}

function damageLines(damaged: readonly DamagedObject[]): readonly string[] {
  if (damaged.length === 0) return [];
  const objects = damaged.map(({ resource, namespace, name, reason }) => {
    const place = namespace === '' ? name : `${namespace}/${name}`;
    return `  ${cleanText(resource)}  ${cleanText(place)}  (${cleanText(reason)})`;
  });
  const remedyText = 'Create them again: nodes treat missing objects as deleted.';
  return [line('damaged', `${damaged.length} stored objects were set aside`), ...objects, remedy(remedyText)];
}
