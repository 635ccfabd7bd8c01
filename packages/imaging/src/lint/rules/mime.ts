import type { Rule } from '../rules.ts';

/** MIME messages and their parts. */
export const MIME_RULES = {
  'mime-not-recognised': {
    severity: 'error',
    title: 'A MIME message is not taken for one',
    why: '`Content-Type: multipart` must be spelled exactly like this and precede the first empty line; otherwise the message is not recognized as user-data, and nothing runs.',
    remedy: 'Start the file with "Content-Type: multipart/mixed; boundary=…" and "MIME-Version: 1.0".',
  },
  'mime-by-accident': {
    severity: 'error',
    title: 'It is taken for a MIME message',
    why: '`Content-Type: multipart` before the first empty line makes any document a MIME message. With CRLF there is no such line, so the whole document is searched.',
    remedy:
      'Save the file with LF, put an empty line near its beginning, and remove these words from the lines above it.',
  },
  'mime-boundary': {
    severity: 'error',
    title: 'The parts of a MIME message are not found',
    why: 'Its header names no boundary, or the boundary is nowhere in it; then it has no parts, and nothing runs.',
    remedy: 'Name the boundary in the header, and put "--" and the boundary before each part.',
  },
  'mime-unterminated': {
    severity: 'warning',
    title: 'A MIME message has no end',
    why: 'The last boundary with `--` after it is missing: is the message truncated? The parts up to there are still run.',
    remedy: 'End the message with "--", the boundary and "--".',
  },
  'mime-part-dropped': {
    severity: 'error',
    title: 'A part of a type that cloudbase-init does not support',
    why: 'Such a part is ignored with one line in the log. This applies to `text/cloud-boothook` and `text/x-include-url`, with which Cluster API on AWS hides its secrets, for `text/jinja2`, `text/cloud-config-archive`, and for parts without a type, which result from a boundary inside a part.',
    remedy: 'Use "text/cloud-config" or "text/x-shellscript", and a boundary that occurs nowhere else.',
  },
  'mime-no-filename': {
    severity: 'error',
    title: 'A part has no file name',
    why: 'A part of type `text/x-shellscript`, `text/part-handler` or `text/x-cfninitdata` is saved under its file name; without one, that fails and the part is ignored.',
    remedy: 'Add "Content-Disposition: attachment; filename=join.ps1".',
  },
  'mime-filename-path': {
    severity: 'error',
    title: "A script's file name is a path",
    why: 'The part is saved at that path, over what is there, run, and removed afterwards.',
    remedy: 'Give a plain name, such as "join.ps1".',
  },
  'mime-extension': {
    severity: 'error',
    title: 'The program that runs a script is unknown',
    why: 'The extension decides (cmd, exe, ps1, py, sh), otherwise the marker in the first line. Without either, the part does not run.',
    remedy: 'Give the file name the extension "ps1".',
  },
  'mime-non-ascii': {
    severity: 'error',
    title: 'A part with letters beyond ASCII is not encoded',
    why: 'Such characters are altered in transit, some into the text of their code: the mail parser gets no bytes.',
    remedy: 'Encode the part: "Content-Transfer-Encoding: base64".',
  },
  'mime-bad-encoding': {
    severity: 'error',
    title: 'A part does not match its transfer encoding',
    why: 'Characters that are not base64 are ignored, and missing padding is added. If that does not decode, the text is used unchanged: base64 is run as a script.',
    remedy: 'Encode the part again.',
  },
  'mime-last-status': {
    severity: 'note',
    title: 'Only the last part decides what follows',
    why: 'A part that requests a reboot stops the rest. Of all others, only the last one can request another run. A part that fails does not stop the rest.',
    remedy: 'Use one script that does all of it in order.',
  },
  'mime-part-handler': {
    severity: 'warning',
    title: 'A part contains Python code',
    why: 'A part handler is run inside of cloudbase-init, as SYSTEM, and may not fit its Python.',
    remedy: 'Use a script.',
  },
} as const satisfies Readonly<Record<string, Rule>>;
