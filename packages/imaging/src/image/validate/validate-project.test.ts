import { IMAGE_PLATFORMS, IMAGE_ROLES, IMAGE_SYSTEMS } from '../config/schema.ts';
import { expect, test } from 'vitest';
import { imageProject } from '../image-project.ts';
import { COMMUNICATORS } from '../image-wishes.ts';
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

test.each(projects)('the project for $system, $platform, $role, $communicator has nothing wrong', (wishes) => {
  const files = new Map(imageProject(wishes).map(({ path, text }) => [path, text]));
  const found = validateProject(files);
  expect(found.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(found.map(({ message }) => message)).toContain('"keadm_sha256" still needs a value');
});

test('undefined variables, locals and sources are found, in texts too, with the nearest name', () => {
  const main = `variable "location" { type = string }
locals { where = var.locaton }
source "qemu" "image" {
  a = "\${local.were}"
  b = local.where
  c = var.location
}
packer {
  required_plugins {
    qemu = { source = "x", version = "1" }
  }
}
build { sources = ["source.qemu.other"] }
`;
  expect(problemsOf({ 'a.pkr.hcl': main })).toEqual([
    'a.pkr.hcl:2 "var.locaton" is declared nowhere; did you mean "location"?',
    'a.pkr.hcl:4 "local.were" is declared nowhere; did you mean "where"?',
    'a.pkr.hcl:13 "source.qemu.other" is declared nowhere',
  ]);
});

test('what is given and goes nowhere is found', () => {
  const main =
    'variable "a" {\n  type = string\n  validation {\n    condition = var.a != ""\n  }\n}\nlocals {\n  b = 1\n}\n';
  expect(problemsOf({ 'a.pkr.hcl': main, 'x.auto.pkrvars.hcl': 'a = ""\nc = 1\na = ""\n' })).toEqual([
    'a.pkr.hcl:1 the variable "a" is used nowhere: to override it does nothing',
    'a.pkr.hcl:8 the local "b" is used nowhere',
    'x.auto.pkrvars.hcl:2 "c" is given a value, but there is no such variable; did you mean "a"?',
    'x.auto.pkrvars.hcl:3 "a" is given a value twice',
  ]);
});

test.each([
  ['b_sha256 = "abc"', '"b_sha256" must be a SHA-256 digest of 64 hexadecimal digits'],
  [
    `b_sha256 = "${'a'.repeat(40)}"`,
    '"b_sha256" must be a SHA-256 digest of 64 hexadecimal digits; this one is of SHA-1',
  ],
  [
    `b_sha256 = "sha256:${DIGEST}"`,
    '"b_sha256" must be a SHA-256 digest of 64 hexadecimal digits; this one is of SHA-256',
  ],
  ['d_checksum = "none"', '"d_checksum" must be "sha256:" or "sha512:" and the digest; "none" would accept anything'],
  [
    `d_checksum = "md5:${'a'.repeat(32)}"`,
    '"d_checksum" must be "sha256:" or "sha512:" and the digest; this one is of MD5',
  ],
  ['e_number = "many"', '"e_number" must be a number'],
  ['f_list = "one"', '"f_list" must be a list(string)'],
  ['b_url = "https://x.example/y"', '"b_url" is given without "b_sha256"'],
  ['b_signature_url = "https://x.example/y"', '"b_signature_url" is given without "b_signature_key"'],
  ['b_signature_key = "PEM"', '"b_signature_key" is given without "b_signature_url"'],
])('a value that cannot be right is found: %s', (override, message) => {
  const names = ['b_url', 'b_sha256', 'b_signature_url', 'b_signature_key', 'd_checksum'];
  const variables = [
    ...names.map((name) => `variable "${name}" { type = string }`),
    'variable "e_number" { type = number }',
    'variable "f_list" { type = list(string) }',
  ];
  const uses = [...names, 'e_number', 'f_list'].map((name) => `var.${name}`).join(', ');
  const main = `${variables.join('\n')}\nbuild {\n  x = [${uses}]\n}\n`;
  expect(problemsOf({ 'a.pkr.hcl': main, 'x.pkrvars.hcl': `${override}\n` })).toEqual([`x.pkrvars.hcl:1 ${message}`]);
});

test('a value may be given in one file for each occasion', () => {
  const main = 'variable "a" { type = string }\nbuild { x = var.a }\n';
  expect(problemsOf({ 'a.pkr.hcl': main, 'test.pkrvars.hcl': 'a = ""\n', 'live.pkrvars.hcl': 'a = ""\n' })).toEqual([]);
});

test('what is in a folder below is another project', () => {
  const main = 'variable "a" { type = string }\nbuild { x = var.a }\n';
  expect(problemsOf({ 'a.pkr.hcl': main, 'old/a.pkr.hcl': main })).toEqual([]);
});

test('an address without a checksum is found', () => {
  expect(problemsOf({ 'a.pkr.hcl': 'variable "b_url" { type = string }\nbuild { x = var.b_url }\n' })).toEqual([
    'a.pkr.hcl:1 "b_url" has no checksum: declare "b_sha256"',
  ]);
});

test('files that are not there are found, wherever they are named', () => {
  const main = `build {
  a = file("\${path.root}/one.txt")
  provisioner "powershell" {
    scripts = [
      "\${path.root}/scripts/there.ps1",
      "scripts/two.ps1",
    ]
  }
  provisioner "file" {
    source      = "three.txt"
    destination = "C:/four.txt"
  }
}
`;
  expect(problemsOf({ 'a.pkr.hcl': main, 'scripts/there.ps1': '' })).toEqual([
    'a.pkr.hcl:2 "one.txt" is not there',
    'a.pkr.hcl:6 "scripts/two.ps1" is not there',
    'a.pkr.hcl:10 "three.txt" is not there',
  ]);
});

test('a template is given what it wants, and nothing else', () => {
  const main = 'build {\n  a = templatefile("${path.root}/t.tpl", {\n    one = 1\n    two = { three = 3 }\n  })\n}\n';
  const template = 'x\n${one} ${four}\n%{ for item in five }${item}%{ endfor }\n';
  expect(problemsOf({ 'a.pkr.hcl': main, 't.tpl': template })).toEqual([
    'a.pkr.hcl:2 "two" is given to "t.tpl", which does not use it',
    't.tpl:2 "four" is not given to this template',
    't.tpl:3 "five" is not given to this template',
  ]);
});

test.each([
  '{ "one" = 1, two : 2 }',
  '{ one = true ? "three" : "four", two = [1, 2] }',
  'local.values',
  'merge({ one = 1 }, local.values)',
  '{ for key in local.values : key => 1 }',
])('what a template is given may be written in any way: %s', (values) => {
  const main = `locals { values = {} }\nbuild {\n  a = templatefile("t.tpl", ${values})\n  b = local.values\n}\n`;
  expect(problemsOf({ 'a.pkr.hcl': main, 't.tpl': '${one} ${two}' })).toEqual([]);
});

test.each([
  ['%{ if one }x', 't.tpl:1 "%{ if … }" has no "%{ endif }"'],
  ['${one}\n%{ for a in one }\n%{ endif }', 't.tpl:3 "%{ endif }" has nothing to end here'],
  ['${one}\n%{ else }', 't.tpl:2 "%{ else }" has nothing to end here'],
  ['${jsonencod(one)}', 't.tpl:1 there is no function "jsonencod"; did you mean "jsonencode"?'],
])('a template that cannot be filled in is found: %j', (template, message) => {
  const main = 'build {\n  a = templatefile("t.tpl", { one = 1 })\n}\n';
  expect(problemsOf({ 'a.pkr.hcl': main, 't.tpl': template })).toEqual([message]);
  expect(
    problemsOf({ 'a.pkr.hcl': main, 't.tpl': '%{ if one }%{ for a in one }${a}%{ endfor }%{ else }%{ endif }' }),
  ).toEqual([]);
});

test('a function that is spelled wrong is found; one that nobody knows is left to Packer', () => {
  expect(problemsOf({ 'a.pkr.hcl': 'build {\n  a = "${tempatefile("x")}"\n  b = novelty(1)\n}\n' })).toEqual([
    'a.pkr.hcl:2 there is no function "tempatefile"; did you mean "templatefile"?',
  ]);
});

test.each([
  ['containerd_url = "http://x.example/y"', 'The containerd_url must begin with "https://"'],
  ['containerd_url = "https://me:secret@x.example/y"', 'The containerd_url must begin with "https://"'],
  ['containerd_version = "v2"', 'The containerd_version must be like "2.1.4"'],
])('a value that the project itself refuses is found, and not repeated: %s', (override, message) => {
  const wishes = { system: '2022', platform: 'aws', role: 'edge', communicator: 'ssh' } as const;
  const files = Object.fromEntries(imageProject(wishes).map(({ path, text }) => [path, text]));
  const found = problemsOf({ ...files, 'x.auto.pkrvars.hcl': `containerd_sha256 = "${DIGEST}"\n${override}\n` });
  expect(found).toEqual([expect.stringContaining(`x.auto.pkrvars.hcl:2 ${message}`)]);
  expect(found.join()).not.toContain('secret');
});

test('a source whose plugin nobody asks for is found', () => {
  expect(problemsOf({ 'a.pkr.hcl': 'source "azure-arm" "image" {}\n' })).toEqual([
    'a.pkr.hcl:1 "azure-arm" needs the plugin "azure" in "required_plugins"',
  ]);
});

test('of a file that is no HCL only that is told', () => {
  expect(problemsOf({ 'a.pkr.hcl': 'build {\n  x = var.y\n', 'b.pkr.hcl': 'a = 1 }\n' })).toEqual([
    'a.pkr.hcl:1 begins a block "build" that has no closing "}"',
    'b.pkr.hcl:1 has a closing "}" too many',
  ]);
});
