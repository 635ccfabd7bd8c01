#!/bin/sh
# Run at the boot of a worker, before anything that handles containers.
set -eu

# Containers get control groups of their own, below those of this node, which the container manager leaves read-only.
mount -o remount,rw,bind /sys/fs/cgroup
for hierarchy in /sys/fs/cgroup/*/; do mount -o remount,rw,bind "$hierarchy"; done

# A kubelet sets these for the whole kernel, which is not this node's own: here they read as it wants them already.
for setting in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 \
  kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
  file=/run/kernel-settings/$(echo "${setting%=*}" | tr / -)
  mkdir -p /run/kernel-settings
  echo "${setting#*=}" > "$file"
  mount --bind "$file" "/proc/sys/${setting%=*}"
done

# The interface that has the node's address. Nothing is at its other end: the cluster is on the loopback.
ip link add eth0 type veth peer name eth0-far
ip address add 192.0.2.10/24 dev eth0
ip link set eth0-far up
ip link set eth0 up
ip route add default via 192.0.2.1
echo 1 > /proc/sys/net/ipv4/ip_forward
