import type { Rule } from '../rule.ts';

/** `## template: jinja`, as Cluster API's documents begin: the whole document is a template. */
export const TEMPLATE_RULES = {
  'template-engine': {
    severity: 'error',
    title: 'The template is for an engine that is not there',
    why: 'Only `## template: jinja` is rendered. With anything else the first line stays, so the document is not taken for a cloud-config either.',
    remedy: 'Write "## template: jinja", or leave the line out.',
  },
  'template-syntax': {
    severity: 'error',
    title: 'Jinja cannot render the document',
    why: '`{{`, `{%` and `{#` are tags everywhere, in the contents of files and in commands too: `if ($x) {# note` starts a comment that is never closed. Then nothing runs, and the plugin fails at every start.',
    remedy:
      'Put a blank between the signs, enclose the part in {% raw %} and {% endraw %}, or give the file in base64.',
  },
  'template-variable-missing': {
    severity: 'error',
    title: 'A variable of the template does not exist in this release',
    why: 'It is replaced by `CI_MISSING_JINJA_VAR/` and its name, which then becomes a node name or a path. `local_hostname` and `instance_id` without a prefix exist since 1.1.7 only; before, there is nothing but `instance_id`, `local_hostname` and `public_ssh_keys` below `v1` and `ds.meta_data`, and `hostname` below the latter.',
    remedy: 'Write {{ ds.meta_data["local_hostname"] }} or {{ v1.local_hostname }}, which every release knows.',
  },
  'template-variable-unknown': {
    severity: 'warning',
    title: 'A variable of the template depends on the platform',
    why: 'What a service adds to its metadata differs; where it is missing, `CI_MISSING_JINJA_VAR/` and its name are inserted instead.',
    remedy: 'Use a name that every service has, such as {{ v1.local_hostname }} or {{ v1.instance_id }}.',
  },
  'template-text-lost': {
    severity: 'warning',
    title: 'A part of the document vanishes when it is rendered',
    why: 'The text between `{#` and `#}` is a Jinja comment, and an expression in quotes loses its braces and quotes: the script never receives it.',
    remedy: 'Enclose the part in {% raw %} and {% endraw %}, or give the file in base64.',
  },
  'template-undecided': {
    severity: 'note',
    title: 'Only Jinja knows what comes of it',
    why: 'Statements, filters and calculations depend on values of the machine. What follows is judged as if statements were not there.',
    remedy: 'Look at the rendered document on a machine, or do without.',
  },
  'template-not-rendered': {
    severity: 'warning',
    title: 'It looks like a template, and is not rendered',
    why: 'Without `## template: jinja` in the first line the braces stay in the text.',
    remedy: 'Start the file with "## template: jinja".',
  },
  'template-in-part': {
    severity: 'error',
    title: 'A part of a MIME message is not rendered',
    why: 'Jinja is applied to a document that is not a MIME message; in a part the first line is a comment, and the braces stay.',
    remedy: 'Ask the machine for the value in a script, or do without MIME.',
  },
} as const satisfies Readonly<Record<string, Rule>>;
