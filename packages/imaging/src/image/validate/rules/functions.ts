import { looksLike, nearestKey } from '@fenestra/contracts/reading';
import { callsIn, type Call } from '../../../hcl/references.ts';
import type { ProjectModel } from '../project-model.ts';
import type { ProjectProblem } from '../project-problem.ts';

const FUNCTIONS = `abs abspath alltrue anytrue base64decode base64encode base64gzip basename bcrypt can ceil chomp
chunklist cidrhost cidrnetmask cidrsubnet cidrsubnets coalesce coalescelist compact concat consul_key contains convert
csvdecode dirname distinct element endswith file filebase64 fileexists fileset flatten floor format formatdate
formatlist indent index join jsondecode jsonencode keys legacy_isotime legacy_strftime length log lookup lower matchkeys
max md5 merge min one parseint pathexpand pow range regex regex_replace regexall replace reverse rsadecrypt
setdifference sethaselement setintersection setproduct setsubtract setsymmetricdifference setunion sha1 sha256 sha512
signum slice sort split startswith strcontains strrev substr sum templatefile textdecodebase64 textencodebase64 timeadd
timestamp title tobool tolist tomap tonumber toset tostring transpose trim trimprefix trimspace trimsuffix try upper
urlencode uuidv4 uuidv5 values vault yamldecode yamlencode zipmap`.split(/\s/);

/** Functions in expressions that are spelled almost, but not quite, as one of Packer's. */
export function functions({ attributes }: ProjectModel): readonly ProjectProblem[] {
  return attributes
    .filter(({ name, within }) => !(name === 'type' && within[0]?.type === 'variable'))
    .flatMap(({ file, value }) => misspelled(file, callsIn(value)));
}

/** What looks like nothing that is known may have come with a later release: it is left to Packer. */
export function misspelled(file: string, calls: readonly Call[]): readonly ProjectProblem[] {
  return calls
    .filter(({ name }) => !FUNCTIONS.includes(name))
    .flatMap(({ name, line }) => {
      const near = nearestKey(name, FUNCTIONS);
      if (near === undefined || !looksLike(name, near)) return [];
      return [{ file, line, severity: 'error', message: `there is no function "${name}"; did you mean "${near}"?` }];
    });
}
