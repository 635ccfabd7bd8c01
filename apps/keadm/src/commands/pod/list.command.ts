import type { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { NodeCommand, PRIVILEGED } from '../../cli/node-command.ts';
import { success } from '../../cli/result.ts';
import { type PodList, withNodePods } from '../../pods/node-pods.ts';
import { podListText } from '../../pods/pod-text.ts';
import { rootOption, type RootFlag } from '../input-option.ts';

interface ListFlags extends RootFlag {
  readonly namespace?: string;
}

/** `keadm pod list` */
export function podListCommand({ environment, deliver }: CommandContext): Command {
  return new NodeCommand('list', () => PRIVILEGED)
    .description('List the pods of this node; without its agent, as the container runtime reports them')
    .option('-n, --namespace <name>', 'list the pods of this namespace only')
    .addOption(rootOption())
    .action(async ({ root, namespace }: ListFlags) => {
      const list = await withNodePods(environment, { root, action: 'list' }, async (pods) => pods.list());
      const shown = list.pods.filter((pod) => namespace === undefined || pod.namespace === namespace);
      warnOf(list, environment.terminal.err);
      deliver(success({ pods: shown }, podListText(shown, environment.now().getTime())));
    });
}

/** Says that the states may be old. */
export function warnOf({ runtimeProblem }: PodList, print: (text: string) => void): void {
  if (runtimeProblem === undefined) return;
  print(`Warning: this is what the agent reported last. ${runtimeProblem.message}\nHint: ${runtimeProblem.hint}\n`);
}
