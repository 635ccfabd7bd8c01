import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** Run as a program: answers at its health port as a kubelet does, or says why it cannot and ends. */
const [behaviour = '', port = ''] = process.argv.slice(2);
const readiness = process.env['FENESTRA_READINESS_FILE'] ?? '';
writeFileSync(`${readiness}.new`, `ready ${process.pid}\n`);
renameSync(`${readiness}.new`, readiness);
createServer((_request, response) => response.end('ok')).listen(Number(port), '127.0.0.1');
if (behaviour === 'crash') {
  process.stderr.write('failed to run Kubelet: misconfiguration\n');
  setTimeout(() => process.exit(1), 300);
}
