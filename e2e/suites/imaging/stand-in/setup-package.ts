import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mustRun } from '../../../support/beds/command.ts';
import { requirePackages } from '../../../support/beds/debian-packages.ts';
import { talkingProgram } from './talking-program.ts';

const SERVICE = `
                <ServiceInstall Id="svc" Name="cloudbase-init" DisplayName="Cloudbase-Init" Type="ownProcess"
                    Start="auto" ErrorControl="normal" Account="LocalSystem" Vital="yes"/>
                <ServiceControl Id="sc" Name="cloudbase-init" Stop="both" Remove="uninstall" Wait="yes"/>
`;

/** Its files are looked for beside it. */
const SOURCE = `<?xml version="1.0" encoding="utf-8"?>
<Wix xmlns="http://schemas.microsoft.com/wix/2006/wi">
  <Product Id="*" UpgradeCode="0c8f4a64-6a0e-4c58-9a55-6f1f5d1f0001" Name="Cloudbase-Init stand-in" Version="1.1.6"
      Manufacturer="Fenestra" Language="1033">
    <Package InstallerVersion="200" Compressed="yes" InstallScope="perMachine"/>
    <Media Id="1" Cabinet="a.cab" EmbedCab="yes"/>
    <Directory Id="TARGETDIR" Name="SourceDir">
      <Directory Id="ProgramFiles64Folder">
        <Directory Id="MAKER" Name="Cloudbase Solutions">
          <Directory Id="INSTALLDIR" Name="Cloudbase-Init">
            <Directory Id="BIN" Name="bin">
              <Component Id="program" Guid="0c8f4a64-6a0e-4c58-9a55-6f1f5d1f0002" Win64="yes">
                <File Id="service" Source="service.exe" Name="OpenStackService.exe" KeyPath="yes"/>
${SERVICE}              </Component>
            </Directory>
            <Directory Id="CONF" Name="conf">
              <Component Id="configuration" Guid="0c8f4a64-6a0e-4c58-9a55-6f1f5d1f0003" Win64="yes">
                <File Id="conf" Source="cloudbase-init.conf" Name="cloudbase-init.conf" KeyPath="yes"/>
              </Component>
            </Directory>
          </Directory>
        </Directory>
      </Directory>
    </Directory>
    <Feature Id="main" Level="1"><ComponentRef Id="program"/><ComponentRef Id="configuration"/></Feature>
  </Product>
</Wix>
`;

/** Real packages of Windows Installer. */
export interface SetupPackages {
  /** With the service and the files by which cloudbase-init is known; nothing runs. */
  readonly right: string;
  /** With the same files, but without the service. */
  readonly other: string;
}

/** Makes both of them. */
export async function makeSetupPackages(folder: string, signal: AbortSignal): Promise<SetupPackages> {
  await requirePackages(['wixl'], signal);
  await writeFile(join(folder, 'service.exe'), talkingProgram('cloudbase-init\n'));
  await writeFile(join(folder, 'cloudbase-init.conf'), '[DEFAULT]\nplugins=a.UserDataPlugin,b.SetHostNamePlugin\n');
  return {
    right: await compile(folder, 'CloudbaseInitSetup', SOURCE, signal),
    other: await compile(folder, 'OtherSetup', SOURCE.replace(SERVICE, ''), signal),
  };
}

async function compile(folder: string, name: string, text: string, signal: AbortSignal): Promise<string> {
  const [source, to] = [join(folder, `${name}.wxs`), join(folder, `${name}.msi`)];
  await writeFile(source, text);
  await mustRun(['wixl', '-a', 'x64', '-o', to, source], {}, signal);
  return to;
}
