import { accessSync, constants, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

import { misspeltSettings } from '../core/values/misspelt-settings.mjs';
import { readByRules, settingRules } from '../core/values/setting-rules.mjs';
import { attempt, codeOf, readIfThere } from './files.mjs';
import { describeUser, statFields } from './processes.mjs';
import { inCheckout } from './runtime.mjs';

/** The exit code of sysexits.h for a bad setting: starting again would not help. */
export const badConfiguration = 78;

/** An invalid setting; its message contains its name and the expected value. */
export class BadSetting extends Error {
  exitCode = badConfiguration;
}

/** DATA_DIR, absolute; a relative one counts from the checkout. */
export const dataDirectory = () => inCheckout(process.env.DATA_DIR || settingRules.DATA_DIR.fallback);

/** @typedef {ReturnType<typeof readSettings>} Settings */

/**
 * The settings that the launcher itself needs. Throws BadSetting with a line for each invalid one.
 * @param {{ complete?: boolean }} [options] `complete`: settings missing for a start are errors too
 */
export function readSettings({ complete = false } = {}) {
  const { values, problems } = readByRules(settingRules, process.env);
  if (complete && process.env.DATABASE_URL && !process.env.SECRET_KEY_BASE)
    problems.push('SECRET_KEY_BASE must be set when DATABASE_URL is: a secret of at least 32 characters.');
  if (problems.length > 0) throw new BadSetting(problems.join('\n'));
  const { HOST: host = '', PORT: port = 0, WORKERS: workers = 0 } = values;
  // Without a URL it is the embedded PostgreSQL, without a secret the one that DATA_DIR keeps.
  const { DATABASE_URL: databaseUrl, SECRET_KEY_BASE: secretKeyBase, RUNNER_BUILT_IN: builtInRunner = 'auto' } = values;
  return { host, port, workers, databaseUrl, secretKeyBase, builtInRunner, dataDir: dataDirectory() };
}

/**
 * Validates the environment before anything is installed, created or started. Warns of variables that are probably
 * misspelled settings. Throws BadSetting.
 */
export function checkSettings() {
  for (const warning of misspeltSettings(process.env)) console.error(`capstan: ${warning}`);
  const settings = readSettings({ complete: true });
  requireDirectory(settings.dataDir);
  return settings;
}

/** @type {Record<string, string>} */
const directoryProblems = { ENOTDIR: 'is no directory', EROFS: 'is on a file system that is read-only' };

/**
 * DATA_DIR, or its nearest existing parent directory, must be a writable directory.
 * @param {string} dataDir absolute
 */
function requireDirectory(dataDir) {
  for (let at = dataDir; ; at = path.dirname(at)) {
    try {
      if (!statSync(at).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
      return accessSync(at, constants.W_OK | constants.X_OK);
    } catch (error) {
      const code = codeOf(error) ?? '';
      if (code === 'ENOENT' && at !== path.dirname(at)) continue;
      const problem = directoryProblems[code] ?? `is closed to uid ${process.getuid?.()}`;
      throw new BadSetting(`DATA_DIR must be a directory that this user may write to; ${at} ${problem}.`);
    }
  }
}

/** @type {Record<string, string>} */
const portProblems = {
  EACCES: 'may not be used by this user',
  EADDRNOTAVAIL: 'is not of this machine',
  ENOTFOUND: 'is a host whose address nobody knows',
  EAI_AGAIN: 'is a host whose address cannot be looked up at present',
};

/** Listens for an instant; the API does it again when its turn comes. Throws BadSetting. @param {{ host: string, port: number }} address */
export async function checkPort({ host, port }) {
  const server = createServer();
  const code = await new Promise((resolve) => {
    server.once('error', (error) => resolve(codeOf(error)));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
  if (!code) return;
  const holder = code === 'EADDRINUSE' ? describeListener(port) : null;
  const inUse = `is in use by another program${holder ? ` (${holder})` : ''}: set PORT to another port, or to 0 for any free one`;
  const problem = code === 'EADDRINUSE' ? inUse : (portProblems[code] ?? code);
  throw new BadSetting(`HOST and PORT must be free to listen on; ${host}:${port} ${problem}.`);
}

/**
 * Describes the process that listens on a local port, as far as Linux shows it; null if it shows nothing. For a process
 * of another user, only that user is visible, unless we are root.
 * @param {number} port
 */
function describeListener(port) {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map((table) => readIfThere(table) ?? '');
  const sockets = tables.flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)));
  const listening = sockets.find(
    ([, address = '', , state]) => state === '0A' && Number.parseInt(address.split(':')[1] ?? '', 16) === port,
  );
  if (!listening) return null;
  const link = `socket:[${listening[9]}]`;
  const pid = Number(readdirSync('/proc').find((name) => /^\d+$/.test(name) && getLinks(name).includes(link)));
  const user = describeUser(Number(listening[7]));
  if (!pid) return user;
  const parts = () => [readIfThere(`/proc/${pid}/comm`)?.trim(), `pid ${pid}`, user, `since ${startTime(pid)}`];
  return attempt(() => parts().join(', '), user);
}

/** The open files of a process. @param {string} pid */
function getLinks(pid) {
  const descriptors = attempt(() => readdirSync(`/proc/${pid}/fd`), []);
  return descriptors.map((descriptor) => attempt(() => readlinkSync(`/proc/${pid}/fd/${descriptor}`), ''));
}

/** Its start counts from boot, in hundredths of a second. @param {number} pid */
function startTime(pid) {
  const boot = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]);
  return new Date((boot + Math.floor(Number(statFields(pid)[19]) / 100)) * 1000).toISOString();
}
