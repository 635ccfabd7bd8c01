import { expect, test } from 'vitest';
import { packerProblems } from './packer-problems.ts';

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
