import type { BatchNode } from '../inventory/batch.ts';
import type { BudgetShare } from './budgets.ts';
import type { NodeSurvey, WorkContext } from './node-worker.ts';
import { waitsToStartOver } from './retry.ts';
import type { RunContext } from './run-context.ts';
import type { ConcurrencySlot } from './concurrency-slot.ts';
import { tryPart, type Attempt, type PartEnd, type PartWork } from './try-part.ts';

/** One connection and nothing else. */
export const LINK: BudgetShare = { connections: 1, bytes: 0, disrupts: undefined };

type Signals = Pick<PartWork, 'first' | 'again' | 'interrupt'>;

/** Surveys a node and records the result. */
export async function surveyPart(run: RunContext, node: BatchNode, slot: ConcurrencySlot): Promise<PartEnd> {
  return surveyBy(run, node, slot, async (context) => run.options.worker.survey(node, context));
}

async function surveyBy(
  run: RunContext,
  node: BatchNode,
  slot: ConcurrencySlot,
  look: (context: WorkContext) => Promise<NodeSurvey>,
): Promise<PartEnd> {
  let survey: NodeSurvey | undefined;
  const end = await tryPart(run, {
    part: 'survey',
    node,
    slot,
    share: LINK,
    reported: true,
    ...beforeCommand(run),
    async act(context) {
      survey = await look(context);
    },
  });
  if (survey !== undefined && end.kind === 'succeeded') await recordSurvey(run, node, survey);
  return end;
}

type Part = (run: RunContext, node: BatchNode, slot: ConcurrencySlot) => Promise<PartEnd>;

/** How the parts of the work on a node that was surveyed differ. */
interface PartKind extends Pick<PartWork, 'part'> {
  readonly method: 'deliver' | 'execute' | 'prove' | 'rollBack';
  readonly share: (node: BatchNode, survey: NodeSurvey) => BudgetShare;
  readonly signals: (run: RunContext, node: BatchNode) => Signals;
  readonly reported?: boolean;
}

function partOf({ part, method, share, signals, reported = true }: PartKind): Part {
  return async (run, node, slot) => {
    const survey = knownSurvey(run, node);
    const act = async (context: WorkContext): Promise<void> => run.options.worker[method](node, survey, context);
    return tryPart(run, { part, node, slot, share: share(node, survey), reported, ...signals(run, node), act });
  };
}

/** Sends a node the files it lacks. */
export const deliverPart = partOf({
  part: 'deliver',
  method: 'deliver',
  share: (_node, { missingBytes }) => ({ ...LINK, bytes: missingBytes }),
  signals: beforeCommand,
});

/** Asks the node by a dry run, where only that shows what the command would change, and records the result. */
export async function previewPart(run: RunContext, node: BatchNode, slot: ConcurrencySlot): Promise<PartEnd> {
  const survey = knownSurvey(run, node);
  if (!survey.previewed) return { kind: 'succeeded' };
  return surveyBy(run, node, slot, async (context) => run.options.worker.preview(node, survey, context));
}

/** Runs the command, or follows one that was already started. */
export const executePart = partOf({
  part: 'execute',
  method: 'execute',
  share: disruption,
  signals: (run, node) => ({ ...onceStarted(run), first: firstExecution(run, node) }),
});

/** Proves the node healthy right after the command. */
export const provePart = partOf({ part: 'prove', method: 'prove', share: disruption, signals: onceStarted });

/** Proves it again some time later; only a failure is reported. */
export const proveAgainPart = partOf({
  part: 'prove',
  method: 'prove',
  share: () => LINK,
  signals: onceStarted,
  reported: false,
});

/** Undoes the command. Only the end of this process interrupts it. */
export const rollBackPart = partOf({
  part: 'roll-back',
  method: 'rollBack',
  share: disruption,
  signals: ({ gone }) => ({ first: firstAttempt(gone), again: gone, interrupt: gone }),
});

function beforeCommand({ noMore, interrupt }: RunContext): Signals {
  return { first: firstAttempt(noMore), again: noMore, interrupt };
}

/** A halt does not stop it, because the node is in an intermediate state. */
function onceStarted({ interrupt }: RunContext): Signals {
  return { first: firstAttempt(interrupt), again: interrupt, interrupt };
}

function firstAttempt(unwanted: AbortSignal): Attempt {
  return { number: 1, unwanted, ifUnwanted: { kind: 'stopped' } };
}

/** After a restart, counting continues, and a halt prevents a try that the killed process had not started. */
function firstExecution(run: RunContext, node: BatchNode): Attempt {
  const standing = run.standing(node);
  const { part, failure, commandTry } = standing;
  const attempt = { ...firstAttempt(part === 'execute' ? run.interrupt : run.noMore), number: commandTry };
  if (failure === undefined || !waitsToStartOver(standing)) return attempt;
  return { ...attempt, unwanted: run.noMore, ifUnwanted: { kind: 'failed', failure } };
}

function disruption({ groups }: BatchNode): BudgetShare {
  return { ...LINK, disrupts: groups };
}

function knownSurvey(run: RunContext, node: BatchNode): NodeSurvey {
  const { survey } = run.standing(node);
  if (survey === undefined) throw new Error(`the node "${node.name}" was not surveyed`);
  return survey;
}

/** Both records share one flush of the journal. */
async function recordSurvey({ journal, surveyed }: RunContext, { name }: BatchNode, survey: NodeSurvey): Promise<void> {
  surveyed.add(name);
  const state = survey.action === 'nothing' ? 'unchanged' : 'waiting';
  await Promise.all([
    journal.append({ type: 'surveyed', node: name, survey }),
    journal.append({ type: 'node', node: name, state, text: survey.summary }),
  ]);
}
