// Installs Debian's packages for the failover drill if run as root with apt-get. Otherwise the drill is skipped with a
// reason.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const packages = ['patroni', 'python3-etcd', 'etcd-server', 'haproxy', 'postgresql-15', 'pgbackrest'];
const policy = '/usr/sbin/policy-rc.d';

/** Returns whether all packages are installed now. */
export function installFailoverPackages() {
  const left = (reason) => {
    process.stdout.write(`\n== failover: left out, ${reason}\n`);
    return false;
  };
  if (!isDebian())
    return left('its programs are tried as Debian has them (Patroni 3.0.2, etcd 3.4, HAProxy 2.6, PostgreSQL 15)');
  const missing = packages.filter((name) => !isInstalled(name));
  if (missing.length === 0) return true;
  if (process.getuid?.() !== 0)
    return left(`not installed: ${missing.join(', ')}; run as root: apt-get install ${missing.join(' ')}`);
  process.stdout.write(`\n== failover: installing ${missing.join(', ')}\n`);
  // Prevent the packages from starting their services, because the drill starts its own processes.
  const isOurs = !existsSync(policy);
  if (isOurs) {
    writeFileSync(policy, '#!/bin/sh\nexit 101\n');
    chmodSync(policy, 0o755);
  }
  try {
    const options = ['-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '--no-install-recommends', ...missing];
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', 'update'], { stdio: 'ignore', env });
    spawnSync('apt-get', options, { stdio: ['ignore', 'ignore', 'inherit'], env });
  } finally {
    if (isOurs) rmSync(policy);
  }
  const still = packages.filter((name) => !isInstalled(name));
  return still.length === 0 || left(`apt-get could not install ${still.join(', ')}`);
}

function isDebian() {
  return (
    existsSync('/etc/debian_version') && /^(?:PRETTY_)?NAME=.*Debian/m.test(readFileSync('/etc/os-release', 'utf8'))
  );
}

function isInstalled(name) {
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f=${Status}', name], { encoding: 'utf8' });
  return stdout === 'install ok installed';
}
