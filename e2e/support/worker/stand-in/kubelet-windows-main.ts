/** The entry of an executable that is a stand-in for a kubelet on Windows; its version is the one it was stamped with. */
import { buildInfo } from '../../../../apps/fenestra/src/build-info.ts';
import { repairStandardStreams } from '../../../../apps/fenestra/src/standard-streams.ts';
import { playKubelet } from './play-kubelet.ts';

repairStandardStreams();
void playKubelet({
  version: `v${buildInfo().version}`,
  os: 'windows',
  behaviour: 'good',
  args: process.argv.slice(2),
});
