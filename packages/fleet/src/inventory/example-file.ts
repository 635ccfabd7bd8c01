/** A batch file with every key explained. It is sound as it stands: only addresses, the command and the token are to be filled in. */
export const EXAMPLE_BATCH_FILE = `# What "keadm batch" does, on which machines, and how it gets there.
# Check it with "keadm batch validate -c FILE"; it connects to nothing until "keadm batch plan" or "run".
# A line that begins with "#" shows a key with its default, or with an example.

keadm:
  # Without any of these, the keadm that runs here is sent to the nodes, and those for other systems beside it.
  # download:
  #   enable: true
  #   url: https://mirror.example/keadm   # keadm-<version>-<os>-<arch>.tar.gz is fetched from there
  # keadmVersion: v1.23.1
  # archGroup: [amd64, arm64]
  # offlinePackageDir: ./packages         # holds <arch>/keadm-<version>-<os>-<arch>.tar.gz
  # keadmBinDir: ./bin                    # holds <arch>/keadm, unpacked

  # What {{name}} or {{.name}} stands for in a keadmCmd. {{nodeName}}, {{ip}} and {{labels.NAME}} are always there.
  cmdTplArgs:
    cloud: 192.0.2.10:10000
    # Secrets are better named than written: env:NAME, file:PATH or command:PROGRAM ARGUMENT …
    token: env:KEADM_TOKEN

# What holds for every node that says nothing else. A group or a node may say all of this as well.
defaults:
  # The command keadm runs there: join, upgrade, config set, reset, …
  keadmCmd: join --cloudcore-ipport={{cloud}} --edgenode-name={{nodeName}} --token={{token}}
  # copyFrom: ./files                     # a folder whose content goes to the node, folders included
  # os: linux                             # or windows; found out where it is not said
  # labels: { country: de }
  ssh:
    username: root
    # port: 22
    # One login method, or a list in order of preference. Without any: the ssh agent, then the keys in ~/.ssh.
    auth:
      type: agent
      # type: privateKey
      # privateKeyAuth:
      #   privateKeyPath: ~/.ssh/id_ed25519
      #   passphrase: env:KEY_PASSPHRASE
      #   certificatePath: ~/.ssh/id_ed25519-cert.pub
      # type: password
      # passwordAuth:
      #   password: env:NODE_PASSWORD
      # type: keyboard-interactive
      # keyboardInteractiveAuth:
      #   answer: env:NODE_PASSWORD
    # hostKey: SHA256:…                   # the machine's key; without it, known_hosts decides
    # jump: [gateway]                     # machines on the way, by their names below "jumps"
    # transport: auto                     # library, or system: the ssh program, for what that cannot do
  # become:                               # for accounts that are not root
  #   method: sudo                        # or doas
  #   password: env:SUDO_PASSWORD
  # retries: { attempts: 4, firstDelay: 2s, longestDelay: 1m }
  # timeouts: { connect: 20s, silence: 30s, deliver: 30m, command: 30m }

# jumps:
#   gateway:
#     ip: 192.0.2.1
#     username: admin

# groups:
#   shops:
#     labels: { kind: shop }
#     maxDisrupted: 10%                   # of its nodes at a time

# limits:
#   connections: 32                       # maxRunNum means the same
#   bytesInFlight: 4GiB
#   disrupted: 32                         # nodes being changed at a time; a number or a share

# waves:                                  # without any, all nodes go at once, within the limits
#   - name: canary
#     size: 1
#     soak: 10m                           # how long it has to stay healthy before the next wave
#   - { name: first, size: 10% }

# halt: { failedPercent: 20 }             # if more of a wave's nodes fail; failedNodes counts over the whole run
# onHalt: hold                            # or roll-back
# unreachable: go-on                      # or stop
# delivery: auto                          # or push, or pull
# compress: auto                          # or always, or never

nodes:
  - nodeName: edge-1
    ssh:
      ip: 192.0.2.11
  - nodeName: edge-2
    ssh:
      ip: 192.0.2.12
`;
