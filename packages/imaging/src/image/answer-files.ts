import { win32 } from 'node:path';
import { openingScript } from './communicator.ts';
import { BUILD_FOLDER, SYSTEMS, type ImageWishes, type ProjectFile } from './image-wishes.ts';
import { text, type ProjectVariable } from './variables.ts';

/** The variables of a build from the installation medium. */
export function iso(): readonly ProjectVariable[] {
  return [
    text('os_iso_url', 'Where the installation medium of Windows Server is'),
    text('os_iso_checksum', 'What the medium must hash to, such as "sha256:…"', {
      validation: {
        pattern: '^(sha256:[0-9a-fA-F]{64}|sha512:[0-9a-fA-F]{128})$',
        message: 'The os_iso_checksum must be "sha256:" or "sha512:" and the digest.',
      },
    }),
    text('product_key', 'The key of the edition; empty for a medium that does not need a key', { default: '""' }),
    text('time_zone', 'The time zone, as Windows calls it', { default: '"UTC"' }),
    text('administrator_password', 'The password of the administrator while the image is made', {
      sensitive: true,
      validation: {
        condition: 'length(var.administrator_password) >= 12',
        message: 'The administrator_password must have 12 characters or more.',
      },
    }),
  ];
}

/** Lines of a source: the image is sealed when the builder shuts the machine down. */
export const SHUTDOWN = `  shutdown_command = "powershell.exe -NoProfile -ExecutionPolicy Bypass -File ${win32.join(BUILD_FOLDER, 'seal.ps1').replaceAll('\\', '\\\\')}"
  shutdown_timeout = "1h"
`;

/** The files that answer the questions of the installation; `before` runs before the way in is opened. */
export function answerFiles(wishes: ImageWishes, before: string): readonly ProjectFile[] {
  return [
    { path: 'answers/autounattend.xml.pkrtpl.hcl', text: answerFile(wishes) },
    { path: 'answers/first-logon.ps1.pkrtpl.hcl', text: firstLogon(wishes, before) },
  ];
}

function firstLogon(wishes: ImageWishes, before: string): string {
  return `# Runs once, when Windows is installed: it lets the builder in.
${before === '' ? '' : `$ErrorActionPreference = 'Stop'\n$ProgressPreference = 'SilentlyContinue'${before}`}${openingScript(wishes)}`;
}

/** Attributes that every component of an answer file has. */
const COMPONENT =
  'processorArchitecture="amd64" publicKeyToken="31bf3856ad364e35" language="neutral" versionScope="nonSxS"';

function answerFile({ system }: ImageWishes): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<unattend xmlns="urn:schemas-microsoft-com:unattend" xmlns:wcm="http://schemas.microsoft.com/WMIConfig/2002/State">
  <settings pass="windowsPE">
    <component name="Microsoft-Windows-International-Core-WinPE" ${COMPONENT}>
      <SetupUILanguage><UILanguage>en-US</UILanguage></SetupUILanguage>
      <InputLocale>en-US</InputLocale>
      <SystemLocale>en-US</SystemLocale>
      <UILanguage>en-US</UILanguage>
      <UserLocale>en-US</UserLocale>
    </component>
    <component name="Microsoft-Windows-Setup" ${COMPONENT}>
      <DiskConfiguration>
        <WillShowUI>OnError</WillShowUI>
        <Disk wcm:action="add">
          <DiskID>0</DiskID>
          <WillWipeDisk>true</WillWipeDisk>
          <CreatePartitions>
            <CreatePartition wcm:action="add"><Order>1</Order><Type>EFI</Type><Size>260</Size></CreatePartition>
            <CreatePartition wcm:action="add"><Order>2</Order><Type>MSR</Type><Size>16</Size></CreatePartition>
            <CreatePartition wcm:action="add"><Order>3</Order><Type>Primary</Type><Extend>true</Extend></CreatePartition>
          </CreatePartitions>
          <ModifyPartitions>
            <ModifyPartition wcm:action="add"><Order>1</Order><PartitionID>1</PartitionID><Format>FAT32</Format></ModifyPartition>
            <ModifyPartition wcm:action="add"><Order>2</Order><PartitionID>3</PartitionID><Format>NTFS</Format><Letter>C</Letter></ModifyPartition>
          </ModifyPartitions>
        </Disk>
      </DiskConfiguration>
      <ImageInstall>
        <OSImage>
          <InstallFrom>
            <MetaData wcm:action="add">
              <Key>/IMAGE/NAME</Key>
              <Value>${SYSTEMS[system].mediumName}</Value>
            </MetaData>
          </InstallFrom>
          <InstallTo><DiskID>0</DiskID><PartitionID>3</PartitionID></InstallTo>
        </OSImage>
      </ImageInstall>
      <UserData>
        <AcceptEula>true</AcceptEula>
%{ if product_key != "" }
        <ProductKey><Key>\${product_key}</Key><WillShowUI>OnError</WillShowUI></ProductKey>
%{ endif }
      </UserData>
    </component>
  </settings>
  <settings pass="specialize">
    <component name="Microsoft-Windows-Shell-Setup" ${COMPONENT}>
      <TimeZone>\${time_zone}</TimeZone>
    </component>
  </settings>
  <settings pass="oobeSystem">
    <component name="Microsoft-Windows-Shell-Setup" ${COMPONENT}>
      <OOBE>
        <HideEULAPage>true</HideEULAPage>
        <HideLocalAccountScreen>true</HideLocalAccountScreen>
        <HideOnlineAccountScreens>true</HideOnlineAccountScreens>
        <HideWirelessSetupInOOBE>true</HideWirelessSetupInOOBE>
        <ProtectYourPC>3</ProtectYourPC>
      </OOBE>
      <UserAccounts>
        <AdministratorPassword>
          <Value>\${administrator_password}</Value>
          <PlainText>true</PlainText>
        </AdministratorPassword>
      </UserAccounts>
      <AutoLogon>
        <Enabled>true</Enabled>
        <LogonCount>1</LogonCount>
        <Username>Administrator</Username>
        <Password>
          <Value>\${administrator_password}</Value>
          <PlainText>true</PlainText>
        </Password>
      </AutoLogon>
      <FirstLogonCommands>
        <SynchronousCommand wcm:action="add">
          <Order>1</Order>
          <CommandLine>cmd.exe /c for %d in (D E F G) do if exist %d:\\first-logon.ps1 powershell.exe -NoProfile -ExecutionPolicy Bypass -File %d:\\first-logon.ps1</CommandLine>
        </SynchronousCommand>
      </FirstLogonCommands>
    </component>
  </settings>
</unattend>
`;
}

/** The locals that a build from the installation medium needs for its answer files. */
export function answerLocals({ platform }: ImageWishes): string {
  if (platform !== 'vsphere' && platform !== 'qemu') return '';
  const tools = platform === 'vsphere' ? TOOLS : '{}';
  return `
  answer_file = templatefile("\${path.root}/answers/autounattend.xml.pkrtpl.hcl", {
    product_key            = var.product_key
    time_zone              = var.time_zone
    administrator_password = replace(replace(replace(var.administrator_password, "&", "&amp;"), "<", "&lt;"), ">", "&gt;")
  })
  first_logon = templatefile("\${path.root}/answers/first-logon.ps1.pkrtpl.hcl", ${tools})
`;
}

/** The template puts these values in single quotes of PowerShell. */
const TOOLS = `{
    vmware_tools_url    = replace(var.vmware_tools_url, "'", "''")
    vmware_tools_sha256 = var.vmware_tools_sha256
    vmware_tools_signer = replace(var.vmware_tools_signer, "'", "''")
  }`;
