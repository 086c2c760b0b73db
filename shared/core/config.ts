import path from 'node:path';
import { isIP } from 'node:net';
import { z } from 'zod';
import { parseNetworks } from './client-network.js';
import type { Networks } from './client-network.js';

/** What the process was told by its environment, checked. Times and sizes carry their unit in the name. */
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
  /** Proxies that are believed whom they speak for. */
  trustedProxies: Networks;
  /** Level of the public API that clients may expect (`operations.md` section 3). */
  apiVersion: string;
  /** The commit that the code is at, or `unknown`. */
  revision: string;
}

/** Exit code of a process whose settings are wrong: the supervisor must not start it again. */
export const EXIT_BAD_SETTINGS = 78;

/** Thrown with one line for each bad setting, which names it and says what it should be. */
export class BadSettings extends Error {
  constructor(readonly problems: string[]) {
    super(problems.join('\n'));
  }
}

const wholeNumber = (low: number, high: number) =>
  z
    .string()
    .regex(/^\d+$/)
    .transform(Number)
    .refine((n) => n >= low && n <= high);

const webUrl = z
  .string()
  .transform((text) => text.replace(/\/+$/, ''))
  .refine((text) => {
    try {
      const url = new URL(text);
      return (url.protocol === 'http:' || url.protocol === 'https:') && !url.search && !url.hash;
    } catch {
      return false;
    }
  });

const postgresUrl = z.string().refine((text) => {
  try {
    return ['postgres:', 'postgresql:'].includes(new URL(text).protocol);
  } catch {
    return false;
  }
});

const hostName = z.string().refine((text) => isIP(text) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text));

const networks = z
  .string()
  .transform(parseNetworks)
  .refine((read) => read !== null);

/** Each setting: its schema, its default, and what a person is told when it is wrong. */
const settings = {
  HOST: {
    schema: hostName,
    fallback: '127.0.0.1',
    expected: 'a host name or an IP address to listen on',
  },
  PORT: {
    schema: wholeNumber(0, 65_535),
    fallback: '8080',
    expected: 'a port number from 0 to 65535 (0: any free one)',
  },
  EXTERNAL_URL: {
    schema: webUrl,
    fallback: undefined,
    expected: 'the http or https URL that clients use, without query',
  },
  DATA_DIR: { schema: z.string().min(1), fallback: '.data', expected: 'a directory path' },
  DATABASE_URL: {
    schema: postgresUrl,
    fallback: undefined,
    expected: 'a postgres:// URL of PostgreSQL 15 or newer',
  },
  WORKERS: {
    schema: wholeNumber(0, 64),
    fallback: '1',
    expected: 'a number of worker processes from 0 to 64',
  },
  SECRET_KEY_BASE: {
    schema: z.string().min(32),
    fallback: undefined,
    expected: 'a secret of at least 32 characters',
  },
  LOG_LEVEL: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    fallback: 'info',
    expected: 'one of fatal, error, warn, info, debug, trace, silent',
  },
  TRUSTED_PROXIES: {
    schema: networks,
    fallback: undefined,
    expected: 'a list of IP addresses and CIDR networks between commas',
  },
  API_VERSION: {
    schema: z.string().regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/),
    fallback: '18.6.0',
    expected: 'a semantic version such as 18.6.0',
  },
} as const;

type SettingName = keyof typeof settings;

function readSettings(env: NodeJS.ProcessEnv) {
  const problems: string[] = [];
  const values: Partial<Record<SettingName, string | number | Networks | null | undefined>> = {};
  for (const [name, { schema, fallback, expected }] of Object.entries(settings)) {
    const text = env[name] === '' ? undefined : env[name];
    const given = text ?? fallback;
    if (given === undefined) continue;
    const parsed = schema.safeParse(given);
    if (parsed.success) values[name as SettingName] = parsed.data;
    // A secret's value is never repeated, nor is a database URL, which holds a password.
    else if (name === 'SECRET_KEY_BASE' || name === 'DATABASE_URL') problems.push(`${name} must be ${expected}.`);
    else problems.push(`${name} must be ${expected}; it is ${JSON.stringify(given)}.`);
  }
  return { values, problems };
}

/**
 * Reads and checks the settings. DATABASE_URL and SECRET_KEY_BASE must be present: the launcher
 * hands both to every process when it runs the embedded database.
 * @throws BadSettings naming every bad setting at once
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const { values, problems } = readSettings(env);
  const given = values as Record<SettingName, never>;
  for (const name of ['DATABASE_URL', 'SECRET_KEY_BASE'] as const) {
    if (values[name] === undefined && !problems.some((line) => line.startsWith(name)))
      problems.push(`${name} must be ${settings[name].expected}; it is not set.`);
  }
  if (problems.length > 0) throw new BadSettings(problems);
  const host: string = given.HOST;
  const port: number = given.PORT;
  return {
    host,
    port,
    externalUrl: given.EXTERNAL_URL ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    dataDir: path.resolve(given.DATA_DIR),
    databaseUrl: given.DATABASE_URL,
    workers: given.WORKERS,
    secretKeyBase: given.SECRET_KEY_BASE,
    logLevel: given.LOG_LEVEL,
    trustedProxies: given.TRUSTED_PROXIES ?? [],
    apiVersion: given.API_VERSION,
    revision: env.CAPSTAN_REVISION || 'unknown',
  };
}
