// Holds a file or folder open on a Wine node as a virus scanner does: others may read it, and neither change nor move
// nor delete it. Ends when the release file is there.
//   node.exe hold-file.cjs KOFFI PATH HELD RELEASE    makes the file HELD once it holds PATH
'use strict';

const fs = require('node:fs');

const GENERIC_READ = 0x80000000;
const SHARE_READ = 1;
const OPEN_EXISTING = 3;
const BACKUP_SEMANTICS = 0x02000000;
const LOOK_MS = 50;

const [addon, path, held, release] = process.argv.slice(2);
const holder = { exports: {} };
process.dlopen(holder, addon);
const open = holder.exports
  .load('kernel32.dll')
  .func('intptr __stdcall CreateFileW(str16 n, uint32 a, uint32 s, void* d, uint32 c, uint32 f, void* t)');
const handle = open(path, GENERIC_READ, SHARE_READ, null, OPEN_EXISTING, BACKUP_SEMANTICS, null);
if (Number(handle) === -1) throw new Error(`cannot hold ${path}`);
fs.writeFileSync(held, '');
const timer = setInterval(() => {
  if (fs.existsSync(release)) clearInterval(timer);
}, LOOK_MS);
