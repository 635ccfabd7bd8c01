// Carries every connection to a named pipe on to a port of this machine, byte for byte, until it is ended.
//   node.exe pipe-relay.cjs PIPE PORT
'use strict';

const net = require('node:net');

const [pipe, port] = process.argv.slice(2);

net
  .createServer((near) => {
    const far = net.connect(Number(port), '127.0.0.1');
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.pipe(far);
    far.pipe(near);
  })
  .listen(pipe);
