// Runs one command file by cmd on a Wine node, elevated and with this process's own input and output, as a real
// Windows SSH server does for an administrator.
//   node.exe session.cjs KOFFI FILE.cmd
'use strict';

const TOKEN_ALL_ACCESS = 0xf01ff;
const TOKEN_LINKED_TOKEN = 19;
const STARTF_USESTDHANDLES = 0x100;
const HANDLE_FLAG_INHERIT = 1;
const INFINITE = 0xffffffff;

const [addon, file] = process.argv.slice(2);
const holder = { exports: {} };
process.dlopen(holder, addon);
const koffi = holder.exports;
const kernel = koffi.load('kernel32.dll');
const advapi = koffi.load('advapi32.dll');

const StartupInfo = koffi.struct({
  size: 'uint32',
  reserved: 'void*',
  desktop: 'void*',
  title: 'void*',
  places: koffi.array('uint32', 7),
  flags: 'uint32',
  show: 'uint16',
  reservedSize: 'uint16',
  reservedBytes: 'void*',
  input: 'intptr_t',
  output: 'intptr_t',
  error: 'intptr_t',
});
const ProcessInformation = koffi.struct({ process: 'intptr_t', thread: 'intptr_t', pid: 'uint32', tid: 'uint32' });

const getCurrentProcess = kernel.func('intptr_t __stdcall GetCurrentProcess()');
const getStdHandle = kernel.func('intptr_t __stdcall GetStdHandle(uint32 which)');
const setHandleInformation = kernel.func(
  'int __stdcall SetHandleInformation(intptr_t handle, uint32 mask, uint32 flags)',
);
const wait = kernel.func('uint32 __stdcall WaitForSingleObject(intptr_t handle, uint32 ms)');
const getExitCode = kernel.func('int __stdcall GetExitCodeProcess(intptr_t handle, _Out_ uint32* code)');
const openToken = advapi.func('int __stdcall OpenProcessToken(intptr_t process, uint32 access, _Out_ intptr_t* token)');
const getTokenInformation = advapi.func(
  'int __stdcall GetTokenInformation(intptr_t token, int kind, _Out_ intptr_t* value, uint32 size, _Out_ uint32* used)',
);
const createProcess = advapi.func('__stdcall', 'CreateProcessAsUserW', 'int', [
  'intptr_t',
  'str16',
  'str16',
  'void*',
  'void*',
  'int',
  'uint32',
  'void*',
  'str16',
  koffi.pointer(StartupInfo),
  koffi.out(koffi.pointer(ProcessInformation)),
]);

const token = [0];
const used = [0];
const linked = [0];
must(openToken(getCurrentProcess(), TOKEN_ALL_ACCESS, token), 'OpenProcessToken');
must(getTokenInformation(token[0], TOKEN_LINKED_TOKEN, linked, 8, used), 'GetTokenInformation');
const startup = {
  size: koffi.sizeof(StartupInfo),
  reserved: null,
  desktop: null,
  title: null,
  places: [0, 0, 0, 0, 0, 0, 0],
  flags: STARTF_USESTDHANDLES,
  show: 0,
  reservedSize: 0,
  reservedBytes: null,
  input: getStdHandle(-10 >>> 0),
  output: getStdHandle(-11 >>> 0),
  error: getStdHandle(-12 >>> 0),
};
// Node.js keeps its own ones from every process it starts.
for (const handle of [startup.input, startup.output, startup.error]) {
  must(setHandleInformation(handle, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT), 'SetHandleInformation');
}
const started = {};
must(createProcess(linked[0], null, `cmd /c ${file}`, null, null, 1, 0, null, null, startup, started), 'CreateProcess');
wait(started.process, INFINITE);
const code = [0];
must(getExitCode(started.process, code), 'GetExitCodeProcess');
process.exit(code[0]);

function must(ok, call) {
  if (!ok) throw new Error(`${call} failed`);
}
