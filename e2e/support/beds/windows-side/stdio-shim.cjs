// Preloaded into every Node.js program on a Wine node. Under Wine, libuv cannot open a Unix pipe as standard
// input or output (EBADF), while plain reads and writes on the same descriptor work.
'use strict';

const fs = require('node:fs');
const { Readable, Writable } = require('node:stream');
const { isMainThread } = require('node:worker_threads');

const STDIN = Object.getOwnPropertyDescriptor(process, 'stdin');

if (process.platform === 'win32' && isMainThread) {
  provide('stdin', () => ownInput() ?? input(0));
  provide('stdout', () => output(1));
  provide('stderr', () => output(2));
}

// A pipe that a Windows program has made can be opened, and only such a one can be closed while it is waited for.
function ownInput() {
  try {
    return STDIN.get.call(process);
  } catch {
    return undefined;
  }
}

function provide(name, make) {
  let stream;
  const get = () => (stream ??= make());
  Object.defineProperty(process, name, { configurable: true, enumerable: true, get });
}

function output(fd) {
  const stream = new Writable({
    write(chunk, _encoding, done) {
      try {
        for (let sent = 0; sent < chunk.length;) sent += fs.writeSync(fd, chunk, sent);
        done();
      } catch (error) {
        // No one reads any more, or the program is a service without any output: not the program's concern.
        done(['EOF', 'EPIPE', 'EBADF'].includes(error.code) ? null : error);
      }
    },
  });
  return Object.assign(stream, { fd, _type: 'fs', isTTY: false });
}

function input(fd) {
  const stream = new Readable({
    read(size) {
      const buffer = Buffer.alloc(size);
      fs.read(fd, buffer, 0, size, null, (error, count) => {
        if (error && error.code !== 'EOF') this.destroy(error);
        else this.push(error || count === 0 ? null : buffer.subarray(0, count));
      });
    },
  });
  return Object.assign(stream, { fd, isTTY: false });
}
