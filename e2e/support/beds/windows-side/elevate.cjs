// Runs one program elevated on a Wine node. A Windows program started with the "runas" verb gets no pipes,
// so a second copy of this script, itself elevated, runs the program with its output in files.
//   node.exe elevate.cjs ask KOFFI ORDER    starts the second copy with the verb and waits for it
//   node.exe elevate.cjs act ORDER          runs what the order says and leaves the exit code beside it
'use strict';

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');

const SEE_MASK_NOCLOSEPROCESS_AND_NO_UI = 0x440;
const INFINITE = 0xffffffff;
const EMPTY = {
  hwnd: null,
  folder: null,
  show: 0,
  instance: null,
  idList: null,
  class: null,
  key: null,
  hotKey: 0,
  icon: null,
  process: null,
};

const [mode, ...rest] = process.argv.slice(2);
if (mode === 'ask') askOrTell(...rest);
else act(...rest);

function askOrTell(addon, order) {
  try {
    ask(addon, order);
  } catch (error) {
    fs.writeFileSync(`${order}.err`, error.stack);
    process.exitCode = 1;
  }
}

function ask(addon, order) {
  const holder = { exports: {} };
  process.dlopen(holder, addon);
  const koffi = holder.exports;
  const info = executeInfo(koffi);
  const execute = koffi
    .load('shell32.dll')
    .func('__stdcall', 'ShellExecuteExW', 'int', [koffi.inout(koffi.pointer(info))]);
  const wait = koffi.load('kernel32.dll').func('uint32 __stdcall WaitForSingleObject(void* handle, uint32 ms)');
  const request = {
    ...EMPTY,
    size: koffi.sizeof(info),
    mask: SEE_MASK_NOCLOSEPROCESS_AND_NO_UI,
    verb: 'runas',
    file: process.execPath,
    parameters: `"${__filename}" act "${order}"`,
  };
  if (!execute(request)) throw new Error('ShellExecuteExW refused the runas verb');
  wait(request.process, INFINITE);
}

// SHELLEXECUTEINFOW
function executeInfo(koffi) {
  return koffi.struct({
    size: 'uint32',
    mask: 'uint32',
    hwnd: 'void*',
    verb: 'str16',
    file: 'str16',
    parameters: 'str16',
    folder: 'str16',
    show: 'int',
    instance: 'void*',
    idList: 'void*',
    class: 'str16',
    key: 'void*',
    hotKey: 'uint32',
    icon: 'void*',
    process: 'void*',
  });
}

function act(order) {
  const { program, args, env } = JSON.parse(fs.readFileSync(order, 'utf8'));
  const stdio = ['ignore', fs.openSync(`${order}.out`, 'w'), fs.openSync(`${order}.err`, 'w')];
  const result = spawnSync(program, args, { stdio, env: { ...process.env, ...env } });
  if (result.error) fs.writeSync(stdio[2], `${result.error.message}\n`);
  fs.writeFileSync(`${order}.code`, String(result.error ? 127 : result.status));
}
