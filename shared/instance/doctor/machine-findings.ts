import { statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Config } from '../../core/values/config.js';
import { SERVICE_NAME } from '../../core/values/version.js';
import { requireGit } from '../../git/index.js';
import { broken, doubtful, fine } from './finding.js';
import type { Finding } from './finding.js';

const OLDEST_NODE: [number, number] = [22, 20];
const MIB = 1024 * 1024;
const LEAST_FREE = 1024 * MIB;
const LOW_SHARE = 0.1;
/** For one host to answer, in milliseconds. */
const REACH_MS = 3000;

/** The versions of what runs the service. */
export async function findVersions(): Promise<Finding[]> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const newEnough = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  const node = newEnough
    ? fine('node', process.versions.node)
    : broken('node', process.versions.node, `Use Node ${OLDEST_NODE.join('.')} or newer.`);
  const git = await requireGit().then(
    (version) => fine('git', version),
    (error: Error) => broken('git', error.message, 'Install git 2.38 or newer where the service finds it on its PATH.'),
  );
  return [node, git];
}

/** Room for repositories, pictures and the embedded database. */
export async function findDisk({ dataDir }: Config): Promise<Finding[]> {
  const { bavail, blocks, bsize, ffree, files } = await statfs(dataDir);
  const free = bavail * bsize;
  const message = `${Math.floor(free / MIB)} MiB are free below DATA_DIR (${Math.round((100 * bavail) / blocks)} %)`;
  const remedy = 'Make room, or move DATA_DIR to a larger disk.';
  if (free < LEAST_FREE) return [broken('disk', message, remedy)];
  if (files > 0 && ffree < files / 100) return [broken('disk', `${ffree} more files fit below DATA_DIR`, remedy)];
  return [bavail < blocks * LOW_SHARE ? doubtful('disk', message, remedy) : fine('disk', message)];
}

/** Whether the service is where clients look for it. */
export async function findService({ externalUrl }: Config): Promise<Finding[]> {
  const { origin } = new URL(externalUrl);
  const remedy = 'Start the service, or set EXTERNAL_URL to where clients reach it.';
  try {
    const response = await fetch(`${externalUrl}/-/health`, { signal: AbortSignal.timeout(REACH_MS) });
    const text = await response.text();
    if (text === `${SERVICE_NAME} OK`) return [fine('EXTERNAL_URL', `the service answers at ${origin}`)];
    return [doubtful('EXTERNAL_URL', `something else answers at ${origin} (${response.status})`, remedy)];
  } catch {
    return [doubtful('EXTERNAL_URL', `nothing answers at ${origin}`, remedy)];
  }
}

function reaches(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: REACH_MS });
    const end = (reached: boolean) => {
      socket.destroy();
      resolve(reached);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}

/** Whether the trace collector, if one is configured, can be reached. */
export async function findCollector(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint) return [];
  const component = 'traces';
  if (!URL.canParse(endpoint))
    return [broken(component, 'the endpoint is no URL', 'Correct OTEL_EXPORTER_OTLP_ENDPOINT.')];
  const { hostname, port, protocol } = new URL(endpoint);
  const number = Number(port) || (protocol === 'https:' ? 443 : 80);
  if (await reaches(hostname.replace(/^\[|\]$/g, ''), number))
    return [fine(component, `the collector listens at ${hostname}:${number}`)];
  const remedy = 'Start the collector, or correct OTEL_EXPORTER_OTLP_ENDPOINT.';
  return [broken(component, `nothing listens at ${hostname}:${number}`, remedy)];
}
