import { IMAGE_CHECKS } from '@fenestra/imaging';
import { DOCTOR_CHECKS, JOIN_CHECKS } from '@fenestra/lifecycle';
import type { NamedCheck } from '@fenestra/session';
import { KUBE_JOIN_CHECKS, KUBE_UPGRADE_CHECKS, PREPARE_CHECKS } from '@fenestra/worker';

/** The commands that make checks, with what they check. */
export const CHECKING_COMMANDS: ReadonlyMap<string, readonly NamedCheck[]> = new Map([
  ['doctor', DOCTOR_CHECKS],
  ['join', JOIN_CHECKS],
  ['kube prepare', PREPARE_CHECKS],
  ['kube join', KUBE_JOIN_CHECKS],
  ['kube upgrade', KUBE_UPGRADE_CHECKS],
  ['image verify', IMAGE_CHECKS],
]);

const HEAD = `# Checks

<!-- Made by scripts/reference.ts from the checks. Do not edit: change the checks, then run it again. -->

A check has the same name in every command. \`keadm doctor\` reports them all; the other commands change nothing if one
fails. \`--skip-check NAME\` continues although it fails. The commands for Kubernetes workers also accept \`all\` and
kubeadm's names. Names of earlier versions are accepted: \`time\` (\`clock\`), \`runtime\` (\`container-runtime\`), \`port-10250\`
(\`ports\`), \`existing-node\` (\`node-name\`) and \`system\` (\`os-version\`).

\`keadm doctor\` on a machine that has joined also checks the node: its name, its certificate and its cloud.
`;

/** The page of checks in `docs/reference`, by name. */
export function checksReferenceFiles(): ReadonlyMap<string, string> {
  const commands = [...CHECKING_COMMANDS];
  const checks = new Map(commands.flatMap(([, list]) => list.map(({ name, about }) => [name, about])));
  const rows = [...checks].map(([name, about]) => {
    const uses = commands.map(([, list]) => (list.some((check) => check.name === name) ? 'yes' : ''));
    return [`\`${name}\``, about, ...uses];
  });
  const head = ['Name', 'Passes if', ...commands.map(([command]) => `\`${command}\``)];
  const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return new Map([['checks.md', `${HEAD}\n${table}\n`]]);
}
