import type { BatchNode } from '../inventory/batch-node.ts';
import type { Claim } from './budgets.ts';
import type { NodeSurvey } from './node-worker.ts';
import { waitsToBeginAfresh } from './retry.ts';
import type { Scene } from './scene.ts';
import type { Seat } from './seat.ts';
import { tryPart, type Attempt, type PartEnd, type PartWork } from './try-part.ts';

/** Holds nothing but a connection. */
export const LINK: Claim = { connections: 1, bytes: 0, disrupts: undefined };

type Signals = Pick<PartWork, 'first' | 'again' | 'interrupt'>;

/** Looks at a node, and writes down what it found. */
export async function surveyPart(scene: Scene, node: BatchNode, seat: Seat): Promise<PartEnd> {
  const { worker } = scene.options;
  let survey: NodeSurvey | undefined;
  const end = await tryPart(scene, {
    part: 'survey',
    node,
    seat,
    claim: LINK,
    told: true,
    ...beforeTheCommand(scene),
    async act(context) {
      survey = await worker.survey(node, context);
    },
  });
  if (survey !== undefined && end.kind === 'well') await tellSurvey(scene, node, survey);
  return end;
}

/** Sends a node what is missing there. */
export async function deliverPart(scene: Scene, node: BatchNode, seat: Seat): Promise<PartEnd> {
  const survey = surveyOf(scene, node);
  return tryPart(scene, {
    part: 'deliver',
    node,
    seat,
    claim: { ...LINK, bytes: survey.missingBytes },
    told: true,
    ...beforeTheCommand(scene),
    act: async (context) => scene.options.worker.deliver(node, survey, context),
  });
}

/** Runs the command, or goes on with one that was begun. */
export async function executePart(scene: Scene, node: BatchNode, seat: Seat): Promise<PartEnd> {
  const survey = surveyOf(scene, node);
  return tryPart(scene, {
    part: 'execute',
    node,
    seat,
    claim: disruption(node),
    told: true,
    ...onceBegun(scene),
    first: firstExecution(scene, node),
    act: async (context) => scene.options.worker.execute(node, survey, context),
  });
}

/** Asks whether the node is as it should be, right after the command. */
export async function provePart(scene: Scene, node: BatchNode, seat: Seat): Promise<PartEnd> {
  const survey = surveyOf(scene, node);
  return tryPart(scene, {
    part: 'prove',
    node,
    seat,
    claim: disruption(node),
    told: true,
    ...onceBegun(scene),
    act: async (context) => scene.options.worker.prove(node, survey, context),
  });
}

/** Asks the same again, some time after; of that nothing is told but a failure. */
export async function proveAgainPart(scene: Scene, node: BatchNode, seat: Seat): Promise<PartEnd> {
  const survey = surveyOf(scene, node);
  return tryPart(scene, {
    part: 'prove',
    node,
    seat,
    claim: LINK,
    told: false,
    ...onceBegun(scene),
    act: async (context) => scene.options.worker.prove(node, survey, context),
  });
}

/** Undoes the command. Nothing interrupts that but the end of this process. */
export async function rollBackPart(scene: Scene, node: BatchNode, seat: Seat): Promise<PartEnd> {
  const survey = surveyOf(scene, node);
  const { gone } = scene;
  return tryPart(scene, {
    part: 'roll-back',
    node,
    seat,
    claim: disruption(node),
    told: true,
    first: firstAttempt(gone),
    again: gone,
    interrupt: gone,
    act: async (context) => scene.options.worker.rollBack(node, survey, context),
  });
}

function beforeTheCommand({ noMore, interrupt }: Scene): Signals {
  return { first: firstAttempt(noMore), again: noMore, interrupt };
}

/** A halt does not stop it, because the node is neither as it was nor as it should be. */
function onceBegun({ interrupt }: Scene): Signals {
  return { first: firstAttempt(interrupt), again: interrupt, interrupt };
}

function firstAttempt(unwanted: AbortSignal): Attempt {
  return { number: 1, unwanted, unbegun: { kind: 'stopped' } };
}

/** A process that goes on where another one was killed counts on, and leaves to a halt what that one had yet to begin. */
function firstExecution(scene: Scene, node: BatchNode): Attempt {
  const standing = scene.standing(node);
  const { part, failure, commandTry } = standing;
  const attempt = { ...firstAttempt(part === 'execute' ? scene.interrupt : scene.noMore), number: commandTry };
  if (failure === undefined || !waitsToBeginAfresh(standing)) return attempt;
  return { ...attempt, unwanted: scene.noMore, unbegun: { kind: 'failed', failure } };
}

function disruption({ groups }: BatchNode): Claim {
  return { ...LINK, disrupts: groups };
}

function surveyOf(scene: Scene, node: BatchNode): NodeSurvey {
  const { survey } = scene.standing(node);
  if (survey === undefined) throw new Error(`nothing is known of the node "${node.name}"`);
  return survey;
}

/** Both in one go, because each flush of the journal costs a wait for the disk. */
async function tellSurvey({ ledger, surveyed }: Scene, { name }: BatchNode, survey: NodeSurvey): Promise<void> {
  surveyed.add(name);
  const state = survey.action === 'nothing' ? 'unchanged' : 'waiting';
  await Promise.all([
    ledger.tell({ type: 'surveyed', node: name, survey }),
    ledger.tell({ type: 'node', node: name, state, text: survey.summary }),
  ]);
}
