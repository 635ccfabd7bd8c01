import {
  changeWithScripts,
  heardSession,
  type CarriedOut,
  type HeardRun,
  type ScriptedChange,
  type ScriptedWork,
} from '@fenestra/session';
import type { WorkerSession } from '../worker-session.ts';
import type { KubeJoinWishes } from './join-wishes.ts';
import { planKubeJoin, type PlannedKubeJoin } from './plan-join.ts';

/** How a join ended. */
export type WorkerJoin = CarriedOut<PlannedKubeJoin> & { readonly change: ScriptedChange; readonly heard: HeardRun };

/** Joins this machine to a cluster, or leaves it as it was. `onPlanned` is called before anything is changed. */
export async function joinWorker(
  session: WorkerSession,
  wishes: KubeJoinWishes,
  { scripted, onPlanned }: { readonly scripted: ScriptedWork; readonly onPlanned: (planned: PlannedKubeJoin) => void },
  signal: AbortSignal,
): Promise<WorkerJoin> {
  const heard = heardSession(session);
  const makePlan = async (): Promise<PlannedKubeJoin> => planKubeJoin(session, wishes, signal);
  const plan = { session: heard.session, command: 'keadm kube join', makePlan, onPlanned };
  return { ...(await changeWithScripts(scripted, plan, signal)), heard };
}
