import type { Config } from '../values/config.js';

const urls = new WeakMap<Config, URL>();

/** Host and port that names of images begin with: the registry's, or the service's own where none is configured. */
export const registryHostOf = (config: Config): string =>
  config.registry ? new URL(config.registry.url).host : externalUrlOf(config).host;

/** The base of every URL in answers, in its parts; read once for a configuration, as every record asks. */
export function externalUrlOf(config: Config): Readonly<URL> {
  const url = urls.get(config) ?? new URL(config.externalUrl);
  urls.set(config, url);
  return url;
}
