import { mkdtemp } from 'node:fs/promises';
import { bundleRunner } from './beds/contract-bundle.ts';
import { RUNTIME } from './beds/checkout.ts';
import { toWindowsPath } from './beds/windows-path.ts';
import { startWindowsNode } from './beds/wine-bed.ts';
const folder = await mkdtemp('/tmp/s6c-');
const runner = await bundleRunner(folder);
const node = await startWindowsNode({ shared: [folder] }, new AbortController().signal);
const koffi = toWindowsPath(RUNTIME.koffiWindows);
try {
  console.log(await node.run(toWindowsPath(RUNTIME.nodeWindows), [toWindowsPath(runner), 'pause', koffi, 'xx'], { elevated: true, timeoutMs: 8000 }).catch((e) => e));
} finally { await node.stop(); }
