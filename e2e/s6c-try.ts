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
  console.log(await node.run(toWindowsPath(RUNTIME.nodeWindows), [toWindowsPath(runner), 'contract', 'scm', 'C:\\contract', koffi, 'windows'], { elevated: true, timeoutMs: 200_000 }));
} finally { await node.stop(); }
