/** `node kubelet-main.ts VERSION BEHAVIOUR ARGS…`: a stand-in for a kubelet on Linux. */
import { playKubelet } from './play-kubelet.ts';
import { BEHAVIOURS } from './stand-in-kubelet.ts';

const [version = '', wanted, ...args] = process.argv.slice(2);
const behaviour = BEHAVIOURS.find((each) => each === wanted) ?? 'good';
await playKubelet({ version, os: 'linux', behaviour, args });
