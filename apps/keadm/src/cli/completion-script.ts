/** The shells a script can be printed for. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof SHELLS)[number];

/** Each script only asks `keadm completion words`, so it never goes stale. */
const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# bash completion for keadm; load it with: source <(keadm completion bash)
_keadm() {
  local IFS=$'\\n'
  COMPREPLY=($(keadm completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _keadm keadm`,

  zsh: `#compdef keadm
# zsh completion for keadm; load it with: source <(keadm completion zsh)
_keadm() {
  local -a candidates
  candidates=("\${(@f)$(keadm completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a candidates
}
compdef _keadm keadm`,

  fish: `# fish completion for keadm; load it with: keadm completion fish | source
function __keadm_candidates
  set -l words (commandline -opc) (commandline -ct)
  keadm completion words -- $words[2..-1] 2>/dev/null
end
complete -c keadm -f -a '(__keadm_candidates)'`,

  powershell: `# PowerShell completion for keadm; load it with: keadm completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName keadm -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '""' }
  keadm completion words -- @words 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}`,
};

/** The script that makes a shell complete keadm's commands. */
export function completionScript(shell: Shell): string {
  return SCRIPTS[shell];
}
