import path from 'node:path';
import { otherSettings, readByRules, settingRules } from '#settings/setting-rules.mjs';
import { parseNetworks } from './client-network.js';
import type { Networks } from './client-network.js';

/** A bucket, and how it is reached. */
export interface S3Settings {
  /** Null for Amazon's own, by region. */
  endpoint: string | null;
  region: string;
  bucket: string;
  /** Null to use the credentials of the environment, such as the role of a machine. */
  keys: { id: string; secret: string } | null;
}

/** The validated configuration from the environment. Times and sizes have their unit in the name. */
export interface Config {
  host: string;
  port: number;
  /** Base of every URL in answers, without a trailing slash. */
  externalUrl: string;
  dataDir: string;
  databaseUrl: string;
  workers: number;
  secretKeyBase: string;
  logLevel: string;
  /** Proxies whose forwarded client addresses are trusted. */
  trustedProxies: Networks;
  /** How long the API keeps listening after a stop signal, so that load balancers notice that it is not ready. */
  drainSeconds: number;
  /** Where workers expose their metrics: the first at this port, each further worker one port higher; null: nowhere. */
  workerMetrics: { host: string; port: number } | null;
  /** Where bytes lie that no row holds. */
  objectStore: 'local' | 's3';
  /** A bucket, also if it is only the source or target of a move; null if none is configured. */
  s3: S3Settings | null;
  /** The container registry, as clients and as the service reach it; null where there is none. */
  registry: { url: string; apiUrl: string } | null;
  /** Level of the public API that clients may expect (`operations.md` section 3). */
  apiVersion: string;
  /** The commit that the code is at, or `unknown`. */
  revision: string;
}

/** Exit code of a process with invalid settings: the supervisor must not restart it. */
export const EXIT_BAD_SETTINGS = 78;

/** Thrown with one line for each invalid setting: its name and its expected value. */
export class BadSettings extends Error {
  constructor(readonly problems: string[]) {
    super(problems.join('\n'));
  }
}

/** The launcher judges the others by the same rules before anything is installed; this one needs a dependency. */
const rules = {
  ...settingRules,
  TRUSTED_PROXIES: {
    ...otherSettings.TRUSTED_PROXIES,
    read: (text: string) => parseNetworks(text) ?? undefined,
  },
};

/**
 * Reads and checks the settings. DATABASE_URL and SECRET_KEY_BASE must be present: the launcher
 * hands both to every process when it runs the embedded database.
 * @throws BadSettings naming every bad setting at once
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const { values, problems } = readByRules(rules, env);
  for (const name of ['DATABASE_URL', 'SECRET_KEY_BASE'] as const) {
    if (!env[name]) problems.push(`${name} must be ${rules[name].expected}; it is not set.`);
  }
  if (values.OBJECT_STORE === 's3' && values.S3_BUCKET === undefined && !env.S3_BUCKET)
    problems.push(`S3_BUCKET must be ${rules.S3_BUCKET.expected}; it is not set.`);
  if (Boolean(env.S3_ACCESS_KEY_ID) !== Boolean(env.S3_SECRET_ACCESS_KEY))
    problems.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together, or neither.');
  if (problems.length > 0) throw new BadSettings(problems);
  // Without a problem each has its value or its default.
  const settings = values as Required<{ [Name in keyof typeof values]: NonNullable<(typeof values)[Name]> }>;
  const { HOST: host, PORT: port } = settings;
  return {
    host,
    port,
    externalUrl: values.EXTERNAL_URL ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    dataDir: path.resolve(settings.DATA_DIR),
    databaseUrl: settings.DATABASE_URL,
    workers: settings.WORKERS,
    secretKeyBase: settings.SECRET_KEY_BASE,
    logLevel: settings.LOG_LEVEL,
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    drainSeconds: settings.DRAIN_SECONDS,
    workerMetrics:
      values.WORKER_METRICS_PORT === undefined
        ? null
        : { host: settings.WORKER_METRICS_HOST, port: values.WORKER_METRICS_PORT },
    objectStore: settings.OBJECT_STORE,
    s3: getS3(values),
    registry:
      values.REGISTRY_URL === undefined
        ? null
        : { url: values.REGISTRY_URL, apiUrl: values.REGISTRY_API_URL ?? values.REGISTRY_URL },
    apiVersion: settings.API_VERSION,
    revision: env.CAPSTAN_REVISION || 'unknown',
  };
}

/** A bucket with what it is reached by; the rules have judged each value. */
function getS3(values: {
  [Name in 'S3_ENDPOINT' | 'S3_REGION' | 'S3_BUCKET' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY']: string | undefined;
}): S3Settings | null {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret } = values;
  if (bucket === undefined) return null;
  const keys = id !== undefined && secret !== undefined ? { id, secret } : null;
  return { endpoint: values.S3_ENDPOINT ?? null, region: values.S3_REGION as string, bucket, keys };
}
