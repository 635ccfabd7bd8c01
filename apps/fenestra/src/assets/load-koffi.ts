import { userInfo } from 'node:os';
import { getRawAsset, isSea } from 'node:sea';
import { OperatorError } from '@fenestra/kernel';
import type { Koffi } from '@fenestra/platform-windows';
import { privateFolders, unpackAsset } from './unpack-asset.ts';

const ADDON = 'koffi.node';

/** Loads the FFI addon that the Windows executable carries. */
export async function loadKoffi(environment: NodeJS.ProcessEnv): Promise<Koffi> {
  if (!isSea()) throw notPacked();
  const bytes = new Uint8Array(toArrayBuffer(getRawAsset(ADDON)));
  const path = await unpackAsset({ name: ADDON, bytes }, privateFolders(environment, profileFolder()));
  const module: { exports: unknown } = { exports: {} };
  process.dlopen(module, path);
  if (isKoffi(module.exports)) return module.exports;
  throw new OperatorError('ASSET_INVALID', `Cannot use "${path}": it is not the FFI addon`, {
    hint: 'Install this program again.',
  });
}

function isKoffi(exports: unknown): exports is Koffi {
  return typeof exports === 'object' && exports !== null && 'load' in exports && 'register' in exports;
}

/** As the user's token tells it: `os.homedir()` would take the environment's word. Some accounts have none. */
function profileFolder(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}

function toArrayBuffer(asset: string | ArrayBuffer): ArrayBuffer {
  if (typeof asset === 'string') throw new TypeError('The asset was loaded as text instead of bytes');
  return asset;
}

function notPacked(): OperatorError {
  return new OperatorError('NOT_SUPPORTED', 'Cannot reach Windows from the unpacked sources', {
    hint: 'Build the executable with "npm run build" and use that.',
  });
}
