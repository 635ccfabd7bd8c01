import { OperatorError } from '@fenestra/kernel';
import type { ServiceName } from '../cloudbase/service.ts';
import { powershellText } from '@fenestra/platform';

/** A place of the platform that a machine can read by its own identity. */
export interface SecretStore {
  readonly kind: StoreKind;
  /** What the secret is called there. */
  readonly name: string;
  /** The vault, where there are several. */
  readonly vault: string | undefined;
  /** Whether it stays there after the join, for other machines. */
  readonly keep: boolean;
}

/** The stores by the names they are given on the command line. */
export const STORE_KINDS = [
  'aws-secrets-manager',
  'aws-parameter-store',
  'azure-key-vault',
  'vsphere-guestinfo',
] as const;

/** One of them. */
export type StoreKind = (typeof STORE_KINDS)[number];

/** The services whose machines can read a store by their own identity. */
export const STORE_SERVICES: Readonly<Record<StoreKind, ServiceName>> = {
  'aws-secrets-manager': 'ec2',
  'aws-parameter-store': 'ec2',
  'azure-key-vault': 'azure',
  'vsphere-guestinfo': 'vmware',
};

const NAMES: Readonly<Record<StoreKind, RegExp>> = {
  'aws-secrets-manager': /^[A-Za-z0-9/_+=.@-]{1,512}$/,
  'aws-parameter-store': /^[A-Za-z0-9/_.-]{1,1011}$/,
  'azure-key-vault': /^[A-Za-z0-9-]{1,127}$/,
  'vsphere-guestinfo': /^guestinfo\.[A-Za-z0-9._-]{1,100}$/,
};

const EXAMPLES: Readonly<Record<StoreKind, string>> = {
  'aws-secrets-manager': 'aws-secrets-manager:nodes/win-1',
  'aws-parameter-store': 'aws-parameter-store:/nodes/win-1',
  'azure-key-vault': 'azure-key-vault:https://nodes.vault.azure.net/win-1',
  'vsphere-guestinfo': 'vsphere-guestinfo:guestinfo.fenestra.token',
};

/** Reads `KIND:NAME`. Throws `USAGE` for what no store has. */
export function parseSecretStore(text: string, { keep }: { readonly keep: boolean }): SecretStore {
  const kind = STORE_KINDS.find((each) => text.startsWith(`${each}:`));
  if (kind === undefined) throw unusable(text, Object.values(EXAMPLES).join('", "'));
  const place = text.slice(kind.length + 1);
  const isVault = kind === 'azure-key-vault';
  const [, vault, secret] = (isVault ? VAULT_PLACE.exec(place) : undefined) ?? [];
  const name = isVault ? (secret ?? '') : place;
  if (!NAMES[kind].test(name)) throw unusable(text, EXAMPLES[kind]);
  return { kind, name, vault: vault === undefined ? undefined : requireVault(vault), keep };
}

const VAULT_PLACE = /^(https:\/\/[A-Za-z0-9.-]+)\/(?:secrets\/)?([^/]+)$/;

/** The clouds of Azure, by what their vaults' names end in. */
const VAULT_CLOUDS = ['vault.azure.net', 'vault.azure.cn', 'vault.usgovcloudapi.net'];

/** The machine's identity token is valid for all vaults, so only the named vault may receive it. */
function requireVault(vault: string): string {
  const lower = vault.toLowerCase();
  const [, cloud = ''] = /^https:\/\/[a-z0-9][a-z0-9-]*\.(.+)$/.exec(lower) ?? [];
  if (VAULT_CLOUDS.includes(cloud)) return lower;
  throw new OperatorError('USAGE', `Cannot take "${vault}" for a vault of Azure`, {
    hint: `Give one whose name ends in ".${VAULT_CLOUDS.join('", ".')}".`,
  });
}

function unusable(text: string, examples: string): OperatorError {
  return new OperatorError('USAGE', `Cannot use "${text}" as a store of secrets`, {
    hint: `Give one such as "${examples}".`,
  });
}

/** PowerShell: two functions that get the secret and remove it. */
export function storeFunctions(store: SecretStore): string {
  const { get, remove } = STORE_CODE[store.kind];
  return `$secretName = ${powershellText(store.name)}
${store.vault === undefined ? '' : vaultVariables(store.vault)}
function Get-Secret {
${indented(get)}
}

function Remove-Secret {
${indented(store.keep ? '# It stays there, for other machines.' : remove)}
}
`;
}

/** A token for the vaults of one cloud counts in no other. */
function vaultVariables(vault: string): string {
  const audience = vault.replace(/^https:\/\/[^.]+\./, 'https://');
  return `$vault = ${powershellText(vault)}\n$audience = ${powershellText(audience)}\n`;
}

interface StoreCode {
  readonly get: string;
  readonly remove: string;
}

/** The tools of AWS are in every image that Amazon makes; the machine's role says what it may read. */
const AWS_REGION = String.raw`$headers = @{ 'X-aws-ec2-metadata-token-ttl-seconds' = '60' }
$session = Invoke-RestMethod -Method Put -Headers $headers -Uri 'http://169.254.169.254/latest/api/token'
$headers = @{ 'X-aws-ec2-metadata-token' = $session }
$region = Invoke-RestMethod -Headers $headers -Uri 'http://169.254.169.254/latest/meta-data/placement/region'`;

const AZURE_ACCESS = String.raw`$resource = [Uri]::EscapeDataString($audience)
$uri = "http://169.254.169.254/metadata/identity/oauth2/token?api-version=2018-02-01&resource=$resource"
$answer = Invoke-RestMethod -Headers @{ Metadata = 'true' } -Uri $uri
$headers = @{ Authorization = "Bearer $($answer.access_token)" }`;

const VMWARE_TOOL = String.raw`$tool = Join-Path $env:ProgramFiles 'VMware\VMware Tools\rpctool.exe'
if (-not (Test-Path -LiteralPath $tool)) { throw 'VMware Tools are not installed' }`;

const STORE_CODE: Readonly<Record<StoreKind, StoreCode>> = {
  'aws-secrets-manager': {
    get: `${AWS_REGION}
(Get-SECSecretValue -SecretId $secretName -Region $region).SecretString`,
    remove: `${AWS_REGION}
Remove-SECSecret -SecretId $secretName -DeleteWithNoRecovery $true -Region $region -Force | Out-Null`,
  },
  'aws-parameter-store': {
    get: `${AWS_REGION}
(Get-SSMParameter -Name $secretName -WithDecryption $true -Region $region).Value`,
    remove: `${AWS_REGION}
Remove-SSMParameter -Name $secretName -Region $region -Force | Out-Null`,
  },
  'azure-key-vault': {
    get: String.raw`${AZURE_ACCESS}
(Invoke-RestMethod -Headers $headers -Uri "$vault/secrets/$($secretName)?api-version=7.4").value`,
    remove: String.raw`${AZURE_ACCESS}
Invoke-RestMethod -Method Delete -Headers $headers -Uri "$vault/secrets/$($secretName)?api-version=7.4" | Out-Null`,
  },
  'vsphere-guestinfo': {
    get: String.raw`${VMWARE_TOOL}
$value = & $tool "info-get $secretName"
if ($LASTEXITCODE -ne 0) { throw "there is no $secretName" }
$value`,
    remove: String.raw`${VMWARE_TOOL}
& $tool "info-set $secretName " | Out-Null
if ($LASTEXITCODE -ne 0) { throw "$secretName cannot be emptied" }`,
  },
};

function indented(code: string): string {
  return code
    .split('\n')
    .map((line) => (line === '' ? line : `    ${line}`))
    .join('\n');
}
