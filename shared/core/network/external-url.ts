import type { Config } from '../config.js';

const known = new WeakMap<Config, URL>();

/** The base of every URL in answers, in its parts; read once for a configuration, as every record asks. */
export function externalUrlOf(config: Config): Readonly<URL> {
  const url = known.get(config) ?? new URL(config.externalUrl);
  known.set(config, url);
  return url;
}
