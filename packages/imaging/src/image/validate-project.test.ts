import { expect, test } from 'vitest';
import { IMAGE_PLATFORMS, IMAGE_ROLES, IMAGE_SYSTEMS } from './config.ts';
import { imageProject } from './image-project.ts';
import { COMMUNICATORS } from './image-wishes.ts';
import { packerProblems } from './packer-texts.ts';
import { validateProject } from './validate-project.ts';

const DIGEST = 'a'.repeat(64);

function problemsOf(files: Readonly<Record<string, string>>): readonly string[] {
  return validateProject(new Map(Object.entries(files)))
    .filter(({ severity }) => severity === 'error')
    .map(({ file, line, message }) => `${file}:${line} ${message}`);
}

const projects = IMAGE_SYSTEMS.flatMap((system) =>
  IMAGE_PLATFORMS.flatMap((platform) =>
    IMAGE_ROLES.flatMap((role) =>
      COMMUNICATORS.filter((communicator) => platform !== 'azure' || communicator === 'winrm').map((communicator) => ({
        system,
        platform,
        role,
        communicator,
      })),
    ),
  ),
);

test.each(projects)(
  'the project for $system, $platform, $role, $communicator is valid and lists the missing values',
  (wishes) => {
    const files = new Map(imageProject(wishes).map(({ path, text }) => [path, text]));
    const found = validateProject(files);
    expect(found.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(found.map(({ message }) => message)).toContain('"keadm_sha256" still needs a value');
  },
);

test.each(projects)(
  '$system, $platform, $role, $communicator: every name is declared, and every declared name is used',
  (wishes) => {
    const files = imageProject(wishes);
    const configuration = files.filter(({ path }) => path.endsWith('.pkr.hcl')).map(({ text }) => text);
    const main = configuration.filter((text) => !text.startsWith('variable ')).join('\n');
    const declared = configuration.flatMap((text) => [...text.matchAll(/^variable "(\w+)"/gm)].map(([, name]) => name));
    expect(namesAfter('var', configuration.join('\n'))).toEqual(new Set(declared));
    expect(namesAfter('var', main)).toEqual(new Set(declared));
    const locals = /^locals \{\n([^]*?)^\}/m.exec(main)?.[1] ?? '';
    const declaredLocals = [...locals.matchAll(/^  (\w+) +=/gm)].map(([, name]) => name);
    expect(namesAfter('local', main)).toEqual(new Set(declaredLocals));
  },
);

test.each(projects)('$system, $platform, $role, $communicator: templates get the values that they use', (wishes) => {
  const files = imageProject(wishes);
  const main = files.find(({ path }) => path === 'image.pkr.hcl')?.text ?? '';
  const calls = [...main.matchAll(/templatefile\("\$\{path\.root\}\/([^"]+)", \{([^}]*)\}\)/g)];
  const templates = files.filter(({ path }) => path.endsWith('.pkrtpl.hcl'));
  expect(new Set(calls.map(([, path]) => path))).toEqual(new Set(templates.map(({ path }) => path)));
  for (const [, path, values = ''] of calls) {
    const text = templates.find((template) => template.path === path)?.text ?? '';
    const given = [...values.matchAll(/^ +(\w+) +=/gm)].map(([, name]) => name);
    expect(namesInTemplate(text)).toEqual(new Set(given));
  }
});

function namesAfter(root: string, text: string): ReadonlySet<string | undefined> {
  return new Set([...text.matchAll(new RegExp(`\\b${root}\\.(\\w+)`, 'g'))].map(([, name]) => name));
}

/** The names in `${…}` and `%{ if … }` that are not functions. */
function namesInTemplate(text: string): ReadonlySet<string> {
  const expressions = [...text.matchAll(/\$\{([^}]+)\}|%\{ if ([^}]+) \}/g)].map(
    ([, one, other]) => one ?? other ?? '',
  );
  return new Set(
    expressions.flatMap((expression) => expression.replaceAll(/"[^"]*"/g, '').match(/\b[a-z]\w*\b(?!\()/g) ?? []),
  );
}

const MAIN = ['b_url', 'b_sha256', 'b_signature_url', 'b_signature_key', 'd_checksum', 'a']
  .map((name) => `variable "${name}" {\n  type = string\n}\n`)
  .join('');

test('a value for a variable that does not exist is found, with the nearest name', () => {
  const settings = 'a = ""\nb_ulr = 1\nzzz = 2\n';
  expect(problemsOf({ 'a.pkr.hcl': MAIN, 'x.auto.pkrvars.hcl': settings })).toEqual([
    'x.auto.pkrvars.hcl:2 "b_ulr" has a value, but there is no such variable; did you mean "b_url"?',
    'x.auto.pkrvars.hcl:3 "zzz" has a value, but there is no such variable',
  ]);
});

test.each([
  ['b_sha256 = "abc"', '"b_sha256" must be a SHA-256 digest of 64 hexadecimal digits'],
  [
    `b_sha256 = "${'a'.repeat(40)}" # from the release page`,
    '"b_sha256" must be a SHA-256 digest of 64 hexadecimal digits; this one is SHA-1',
  ],
  [
    `b_sha256 = "sha256:${DIGEST}"`,
    '"b_sha256" must be a SHA-256 digest of 64 hexadecimal digits; this one is SHA-256',
  ],
  ['d_checksum = "none"', '"d_checksum" must be "sha256:" or "sha512:" and the digest; "none" accepts anything'],
  [
    `d_checksum = "md5:${'a'.repeat(32)}"`,
    '"d_checksum" must be "sha256:" or "sha512:" and the digest; this one is MD5',
  ],
  ['b_url = "https://x.example/y"', '"b_url" is set without "b_sha256"'],
  ['b_url = var.a', '"b_url" is set without "b_sha256"'],
  ['b_signature_url = "https://x.example/y"', '"b_signature_url" is set without "b_signature_key"'],
  ['b_signature_key = "PEM"', '"b_signature_key" is set without "b_signature_url"'],
  ['b_signature_key = <<EOF\nMCowBQYDK2VwAyEA=\nEOF', '"b_signature_key" is set without "b_signature_url"'],
])('an incorrect value is found: %s', (setting, message) => {
  expect(problemsOf({ 'a.pkr.hcl': MAIN, 'x.pkrvars.hcl': `${setting}\n` })).toEqual([`x.pkrvars.hcl:1 ${message}`]);
});

test('only assignments at the top level are settings, and a line after a value of many lines keeps its number', () => {
  const settings =
    'a = {\n  nosuch = "{"\n}\n# c = 1\na = <<EOF\nnosuch = 1\nEOF\na = [ # one\n  "x",\n]\nd_checksum = "none"\n';
  expect(problemsOf({ 'a.pkr.hcl': MAIN, 'x.pkrvars.hcl': settings })).toEqual([
    expect.stringMatching(/^x\.pkrvars\.hcl:11 "d_checksum"/),
  ]);
});

test('what is in a subfolder is another project', () => {
  expect(problemsOf({ 'a.pkr.hcl': '', 'old/a.pkr.hcl': MAIN, 'x.pkrvars.hcl': 'a = ""\n' })).toEqual([
    'x.pkrvars.hcl:1 "a" has a value, but there is no such variable',
  ]);
});

test('files of the project that do not exist are found', () => {
  const main = `build {
  a = file("\${path.root}/one.txt")
  # b = file("\${path.root}/two.txt")
  provisioner "powershell" {
    scripts = ["\${path.root}/scripts/there.ps1", "\${path.root}/scripts/three.ps1", "\${path.root}/\${var.b}"]
  }
}
`;
  expect(problemsOf({ 'a.pkr.hcl': main, 'scripts/there.ps1': '' })).toEqual([
    'a.pkr.hcl:2 "one.txt" does not exist',
    'a.pkr.hcl:5 "scripts/three.ps1" does not exist',
  ]);
});

test.each([
  ['containerd_url = "http://x.example/y"', 'The containerd_url must begin with "https://"'],
  ['containerd_url = "https://me:secret@x.example/y"', 'The containerd_url must begin with "https://"'],
  ['containerd_version = "v2"', 'The containerd_version must be like "2.1.4"'],
  ['image_version = "1"', 'The image_version must be like "1.33.1"'],
])('a value that the variable refuses is found, and not repeated: %s', (setting, message) => {
  const wishes = { system: '2022', platform: 'azure', role: 'edge', communicator: 'winrm' } as const;
  const files = Object.fromEntries(imageProject(wishes).map(({ path, text }) => [path, text]));
  const found = problemsOf({ ...files, 'x.auto.pkrvars.hcl': `containerd_sha256 = "${DIGEST}"\n${setting}\n` });
  expect(found).toEqual([expect.stringContaining(`x.auto.pkrvars.hcl:2 ${message}`)]);
  expect(found.join()).not.toContain('secret');
});

test('a password in a settings file is reported without its value', () => {
  const main = 'variable "administrator_password" {}\n';
  const settings = 'administrator_password = "correct horse"\n';
  const found = validateProject(
    new Map([
      ['a.pkr.hcl', main],
      ['x.pkrvars.hcl', settings],
    ]),
  );
  expect(found).toEqual([
    {
      file: 'x.pkrvars.hcl',
      line: 1,
      severity: 'note',
      message:
        '"administrator_password" is a password: set it in the environment as PKR_VAR_administrator_password instead',
    },
  ]);
});

/** Printed by Packer 1.6.6. */
const OUTPUT = `Error: Unsupported block type

  on variables.pkr.hcl line 336, in varable "x":
 336: varable "x" {}

Blocks of type "varable" are not expected here. Did you mean "variables"?

Error: Unsupported block type

  on variables.pkr.hcl line 336, in varable "x":
 336: varable "x" {}

Blocks of type "varable" are not expected here. Did you mean "variables"?

Error: Invalid value for variable

  on overrides.auto.pkrvars.hcl line 28:
  28: labels = 5

The value for labels is not compatible with the variable's type constraint: map
of string required.

Warning: Undefined variable

A "build_x" variable was set but was not found in known variables. To declare
variable "build_x", place this block in one of your .pkr files, such as
variables.pkr.hcl

`;

test('each error of Packer is reported once, with its place', () => {
  expect(packerProblems(OUTPUT)).toEqual([
    {
      file: 'variables.pkr.hcl',
      line: 336,
      severity: 'error',
      message: 'Unsupported block type: Blocks of type "varable" are not expected here. Did you mean "variables"?',
    },
    {
      file: 'overrides.auto.pkrvars.hcl',
      line: 28,
      severity: 'error',
      message:
        "Invalid value for variable: The value for labels is not compatible with the variable's type constraint: map of string required",
    },
  ]);
});

test('a failure that Packer describes in another form is reported as it is', () => {
  expect(packerProblems('panic: runtime\nerror\n')).toEqual([
    { severity: 'error', message: 'Packer refuses the project: panic: runtime error' },
  ]);
});
