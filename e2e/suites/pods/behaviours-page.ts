import { proofText } from '../../support/reporting/proofs.ts';
import { BEHAVIOURS, type BehaviourGroup } from './behaviours.ts';

/** The files of `docs/reference` about what the tests of pods show, by name. */
export function podProofReferenceFiles(): ReadonlyMap<string, string> {
  return new Map([['pod-proofs.md', pageText()]]);
}

function pageText(): string {
  return `# What the tests show about pods

<!-- Made by scripts/reference.ts from e2e/suites/pods/behaviours.ts. Do not edit: change that, then run it again. -->

Each row names a test by its file and a part of its name. \`npm run e2e -- pods\` runs all of them on real containerd, with
the built agent and a cloud. The rows follow the tests that Kubernetes has for nodes.

${BEHAVIOURS.map(groupText).join('\n\n')}
`;
}

function groupText({ title, behaviours }: BehaviourGroup): string {
  const rows = behaviours.map(({ behaviour, proof }) => `| ${behaviour} | ${proofText(proof)} |`);
  return [`## ${title}`, '', '| Behaviour | Shown by |', '| --- | --- |', ...rows].join('\n');
}
