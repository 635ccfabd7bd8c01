import type { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { NodeCommand, PRIVILEGED } from '../../cli/node-command.ts';
import { success } from '../../cli/result.ts';
import { findPod } from '../../pods/find-pod.ts';
import { withNodePods } from '../../pods/node-pods.ts';
import { podDescription } from '../../pods/pod-text.ts';
import { rootOption, type RootFlag } from '../input-option.ts';
import { warnOf } from './list.command.ts';

/** `keadm pod describe POD` */
export function describeCommand({ environment, deliver }: CommandContext): Command {
  return new NodeCommand('describe', () => PRIVILEGED)
    .description('Show one pod with its containers, why they do not run, their probes and volumes')
    .argument('<pod>', 'the pod: NAME or NAMESPACE/NAME')
    .addOption(rootOption())
    .action(async (name: string, { root }: RootFlag) => {
      const list = await withNodePods(environment, { root, action: 'describe' }, async (pods) => pods.list());
      warnOf(list, environment.terminal.err);
      const pod = findPod(list.pods, name);
      deliver(success({ pod }, podDescription(pod, environment.now().getTime())));
    });
}
