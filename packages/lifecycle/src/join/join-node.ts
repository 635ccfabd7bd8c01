import {
  changeWithScripts,
  type CarriedOut,
  type NodeSession,
  type ScriptedChange,
  type ScriptedWork,
} from '@fenestra/session';
import type { JoinWishes } from './join-wishes.ts';
import { planJoin, type PlannedJoin } from './plan-join.ts';

/** How a join ended. */
export type NodeJoin = CarriedOut<PlannedJoin> & { readonly change: ScriptedChange };

/** Joins this machine to a cloud, or leaves it as it was. `onPlanned` is called before anything is changed. */
export async function joinNode(
  session: NodeSession,
  wishes: JoinWishes,
  { scripted, onPlanned }: { readonly scripted: ScriptedWork; readonly onPlanned: (planned: PlannedJoin) => void },
  signal: AbortSignal,
): Promise<NodeJoin> {
  const makePlan = async (): Promise<PlannedJoin> => planJoin(session, wishes, signal);
  return changeWithScripts(scripted, { session, command: 'keadm join', makePlan, onPlanned }, signal);
}
