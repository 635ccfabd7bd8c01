import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/**
 * Generates the messages of the Container Runtime Interface from packages/cri/proto: `node scripts/cri-messages.ts`. It
 * needs `protoc`, from Debian's package "protobuf-compiler". npx fetches the generator, in the version of the library that
 * reads what it writes: it brings its own TypeScript compiler, which is not worth installing everywhere.
 */
const FOLDER = join(import.meta.dirname, '../packages/cri');

const Manifest = z.object({ dependencies: z.object({ '@bufbuild/protobuf': z.string() }) });
const { dependencies } = Manifest.parse(JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')));

const generator = `@bufbuild/protoc-gen-es@${dependencies['@bufbuild/protobuf']}`;
const options = ['--es_out=src/generated', '--es_opt=target=js+dts', '--proto_path=proto', 'runtime.proto'];
// npx puts the generator into the PATH, where protoc looks for it.
execFileSync('npx', ['--yes', '--package', generator, '--', 'protoc', ...options], { cwd: FOLDER, stdio: 'inherit' });
