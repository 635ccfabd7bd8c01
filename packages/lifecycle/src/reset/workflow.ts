import { pointOfNoReturn, type Phase } from '@fenestra/kernel';
import {
  clearJudged,
  deleteNode,
  disarmGuard,
  drainNode,
  leaveCloud,
  removePods,
  removeService,
  stopUnlessStopped,
  unmount,
} from '@fenestra/steps';
import { AGENT_SERVICE } from '../service-program/agent-service.ts';
import type { ResetFacts } from './facts.ts';

const POD_LIMIT_SECONDS = 300;

/**
 * The order is the design: nothing is deleted while the agent runs, and until something is, everything can be undone.
 * The service goes first, so that no restart of the machine brings the agent, its pods and its node back half-way.
 */
export const RESET: readonly Phase<ResetFacts>[] = [
  {
    // The pods move to other nodes while this one can still end them in good order.
    id: 'drain',
    title: 'Drain the node',
    plan({ wishes: { drain, drainLimitSeconds: limitSeconds }, cloud, nodeName: node }) {
      if (!drain || cloud.state !== 'registered') return [];
      return [drainNode({ kubeconfig: cloud.kubeconfig, node, limitSeconds, confirms: cloud.ready })];
    },
  },
  {
    // A running agent would make again what is removed.
    id: 'stop-agent',
    title: 'Stop the agent',
    plan: ({ service }) => stopUnlessStopped(service, AGENT_SERVICE),
  },
  {
    // There is no rollback from here: a service that others made is not ours to make.
    id: 'remove-service',
    title: 'Remove the service',
    plan: ({ service }) =>
      service.state === 'absent' ? [] : [pointOfNoReturn(removeService({ name: AGENT_SERVICE }))],
  },
  {
    // Pods outlive the agent that started them.
    id: 'remove-pods',
    title: 'Remove the pods',
    plan: ({ runtime: { endpoint, madeBy }, wishes: { podGraceSeconds: graceLimitSeconds } }) =>
      endpoint === undefined
        ? []
        : [
            removePods({
              endpoint,
              limitSeconds: POD_LIMIT_SECONDS,
              graceLimitSeconds,
              ...(madeBy !== undefined && { madeBy }),
            }),
          ],
  },
  {
    // What pods had mounted stays mounted when they are gone, and nothing is deleted through a mount.
    id: 'unmount-volumes',
    title: "Unmount the pods' volumes",
    plan: ({ volumes }) => volumes.map((path) => unmount({ path })),
  },
  {
    // The node leaves the cloud only when its agent is stopped, which would register it again.
    id: 'leave-cloud',
    title: 'Leave the cloud',
    plan({ cloud, nodeName, identity }) {
      if (cloud.state === 'absent') return [];
      if (cloud.state === 'registered') return [deleteNode({ kubeconfig: cloud.kubeconfig, node: nodeName })];
      return identity === undefined ? [] : [leaveCloud({ nodeName, ...identity })];
    },
  },
  {
    // There is no node left to guard.
    id: 'remove-guard',
    title: 'Remove the guard',
    plan: ({ guardLeft, layout }) => (guardLeft ? [disarmGuard({ executable: layout.guardExecutable })] : []),
  },
  {
    // Certificates, data, configuration, logs and the program: what is the node's, and nothing beside it.
    id: 'delete-files',
    title: "Delete the node's files",
    plan: ({ folders }) => clearJudged(folders),
  },
];
