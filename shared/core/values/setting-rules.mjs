import { isIP } from 'node:net';

/*
 * The valid values of settings, for both the service (`config.ts`) and the launcher, which runs before anything is
 * installed or compiled.
 */

/**
 * @template T
 * @typedef {object} SettingRule the valid values of a setting
 * @property {string} [fallback]
 * @property {string} docs what it does, in Markdown, for the help page that lists all settings
 * @property {string} [unset] what applies without it, in Markdown, where the default is not a text
 * @property {string} expected the description shown when the value is invalid
 * @property {boolean} [secret] its value is never shown
 * @property {(text: string) => T | undefined} read parses the value; undefined for an invalid text
 */

/** @param {RegExp} pattern @returns {(text: string) => string | undefined} */
const matching = (pattern) => (text) => (pattern.test(text) ? text : undefined);

/** @template {string} T @param {...T} values @returns {(text: string) => T | undefined} */
const oneOf =
  (...values) =>
  (text) =>
    values.find((value) => value === text);

/** @param {number} low @param {number} high @returns {(text: string) => number | undefined} */
const wholeNumber = (low, high) => (text) => {
  const number = /^\d+$/.test(text) ? Number(text) : NaN;
  return number >= low && number <= high ? number : undefined;
};

/** @param {string[]} protocols @param {(url: URL) => boolean} accepts @returns {(text: string) => string | undefined} */
const getUrl = (protocols, accepts) => (text) => {
  try {
    const url = new URL(text);
    return protocols.includes(url.protocol) && accepts(url) ? text : undefined;
  } catch {
    return undefined;
  }
};

const webUrl = getUrl(['http:', 'https:'], ({ search, hash }) => !search && !hash);
const rootUrl = getUrl(['http:', 'https:'], ({ pathname, search, hash }) => pathname === '/' && !search && !hash);
/** @param {string} text */
const withoutSlashes = (text) => text.replace(/\/+$/, '');
/** @param {string} text */
const host = (text) => (isIP(text) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? text : undefined);
const logLevels = /** @type {const} */ (['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']);

/** @param {string} text */
const readRootUrl = (text) => rootUrl(withoutSlashes(text));
const registryExpected = 'the http or https URL of a container registry, without path and query';

/** Each setting that can be judged without a dependency. @satisfies {Record<string, SettingRule<unknown>>} */
export const settingRules = {
  HOST: {
    fallback: '127.0.0.1',
    docs: 'Address to listen on.',
    expected: 'a host name or an IP address to listen on',
    read: host,
  },
  PORT: {
    fallback: '8080',
    docs: 'Port to listen on.',
    expected: 'a port number from 0 to 65535 (0: any free one)',
    read: wholeNumber(0, 65_535),
  },
  EXTERNAL_URL: {
    // The APIs and the pages are at the root: below a path nothing would be found.
    unset: '`http://HOST:PORT`',
    docs: 'URL that clients use, as it stands in links. Everything is served at the root of a host, so it has no path.',
    expected: 'the http or https URL that clients use, without path and query',
    read: readRootUrl,
  },
  DATA_DIR: {
    fallback: '.data',
    docs: 'Repositories, the embedded database and the generated secret. Other users of the machine cannot read it.',
    expected: 'a directory path',
    read: matching(/./),
  },
  DATABASE_URL: {
    secret: true,
    unset: 'the embedded PostgreSQL',
    docs: 'A PostgreSQL database of your own.',
    expected: 'a postgres:// URL of PostgreSQL 15 or newer',
    read: getUrl(['postgres:', 'postgresql:'], () => true),
  },
  WORKERS: {
    fallback: '1',
    docs: 'Number of worker processes.',
    expected: 'a number of worker processes from 0 to 64',
    read: wholeNumber(0, 64),
  },
  RUNNER_BUILT_IN: {
    fallback: 'auto',
    docs: 'Whether `npm start` also runs jobs of pipelines on this machine. With `auto`: while `HOST` and `EXTERNAL_URL` are loopback addresses and jobs can be kept apart from the machine. With `on`: always, which is for trusted projects only.',
    expected: 'auto, on or off',
    read: oneOf('auto', 'on', 'off'),
  },
  SECRET_KEY_BASE: {
    secret: true,
    unset: 'generated once and kept in `DATA_DIR`',
    docs: 'Secret from which token digests and encryption keys are derived. Required with `DATABASE_URL`. The service does not start with a different secret than the database was set up with.',
    expected: 'a secret of at least 32 characters',
    read: matching(/^[^]{32,}$/),
  },
  LOG_LEVEL: {
    fallback: 'info',
    docs: 'Least severe log lines that are written.',
    expected: `one of ${logLevels.join(', ')}`,
    read: oneOf(...logLevels),
  },
  DRAIN_SECONDS: {
    fallback: '0',
    docs: 'How long the API keeps listening after SIGTERM while it reports that it is not ready, so that load balancers notice.',
    expected: 'a number of seconds from 0 to 20',
    read: wholeNumber(0, 20),
  },
  WORKER_METRICS_HOST: {
    fallback: '127.0.0.1',
    docs: 'Address of the ports where workers serve their metrics.',
    expected: 'a host name or an IP address to listen on',
    read: host,
  },
  WORKER_METRICS_PORT: {
    unset: 'no metrics of workers',
    docs: 'Port where the first worker serves its metrics. Each further worker takes the next port.',
    expected: 'a port number from 1 to 65535',
    read: wholeNumber(1, 65_535),
  },
  OBJECT_STORE: {
    fallback: 'local',
    docs: 'Where avatars, package files and other objects are stored: below `DATA_DIR/objects`, or in an S3 bucket.',
    expected: 'local or s3',
    read: oneOf('local', 's3'),
  },
  S3_ENDPOINT: {
    unset: 'Amazon S3, by region',
    docs: 'URL of another service that speaks the S3 protocol.',
    expected: 'the http or https URL of an S3 service, without query',
    read: (text) => webUrl(withoutSlashes(text)),
  },
  S3_REGION: {
    fallback: 'us-east-1',
    docs: 'Region of the bucket.',
    expected: 'the name of a region',
    read: matching(/^[a-z0-9-]{1,64}$/),
  },
  S3_BUCKET: {
    unset: 'none',
    docs: 'The bucket. Required with `OBJECT_STORE=s3`.',
    expected: 'the name of a bucket',
    read: matching(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/),
  },
  S3_ACCESS_KEY_ID: {
    secret: true,
    unset: 'the credentials that the machine offers',
    docs: 'ID of the access key. Set together with `S3_SECRET_ACCESS_KEY`.',
    expected: 'the id of an access key',
    read: matching(/^\S{1,256}$/),
  },
  S3_SECRET_ACCESS_KEY: {
    secret: true,
    unset: 'the credentials that the machine offers',
    docs: 'Secret of the access key. Set together with `S3_ACCESS_KEY_ID`.',
    expected: 'the secret of an access key',
    read: matching(/^\S{1,1024}$/),
  },
  REGISTRY_URL: {
    unset: 'no registry',
    docs: 'URL of a container registry as clients reach it. Image names begin with its host.',
    expected: registryExpected,
    read: readRootUrl,
  },
  REGISTRY_API_URL: {
    unset: '`REGISTRY_URL`',
    docs: 'URL by which the service itself reaches the container registry.',
    expected: registryExpected,
    read: readRootUrl,
  },
  API_VERSION: {
    fallback: '18.6.0',
    docs: 'Level of the public API that `/version` reports.',
    expected: 'a semantic version such as 18.6.0',
    read: matching(/^\d+\.\d+\.\d+(-[\w.]+)?$/),
  },
};

/**
 * Settings that other modules read: those need a dependency, or read them once.
 * @satisfies {Record<string, Omit<SettingRule<unknown>, 'read'>>}
 */
export const otherSettings = {
  TRUSTED_PROXIES: {
    unset: 'none',
    docs: 'Reverse proxies, such as `10.0.0.0/8,192.0.2.7`. Requests that come from one of them name the client in `X-Forwarded-For`.',
    expected: 'a list of IP addresses and CIDR networks between commas',
  },
  INITIAL_ROOT_TOKEN: {
    secret: true,
    unset: 'generated and shown',
    docs: 'Access token of the administrator `root`. Read at the first start only.',
    expected: 'at least 20 printable characters without spaces',
  },
  INITIAL_ROOT_PASSWORD: {
    secret: true,
    unset: 'generated and shown',
    docs: 'Password of the administrator `root`. Read at the first start only.',
    expected: 'at least 8 characters, and none of the passwords that everybody tries first',
  },
};

/**
 * Reads settings by their rules: values by name, undefined if missing or invalid, and a sentence for each invalid one.
 * An empty text counts as not set; the value of a secret is never repeated.
 *
 * @template {Record<string, SettingRule<unknown>>} Rules
 * @param {Rules} rules @param {NodeJS.ProcessEnv} env
 */
export function readByRules(rules, env) {
  /** @type {string[]} */
  const problems = [];
  const values = Object.entries(rules).map(([name, { fallback, expected, secret, read }]) => {
    const text = env[name] || fallback;
    const value = text === undefined ? undefined : read(text);
    if (text !== undefined && value === undefined)
      problems.push(`${name} must be ${expected}${secret ? '' : `; it is ${JSON.stringify(text)}`}.`);
    return [name, value];
  });
  /** @typedef {{ [Name in keyof Rules]: ReturnType<Rules[Name]['read']> }} Values */
  return { values: /** @type {Values} */ (Object.fromEntries(values)), problems };
}
