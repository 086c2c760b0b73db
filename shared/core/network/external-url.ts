import type { Config } from '../values/config.js';

const urls = new WeakMap<Config, URL>();

/** Host and port that names of images begin with: the registry's, or the service's own where none is configured. */
export const getRegistryHost = (config: Config): string =>
  config.registry ? new URL(config.registry.url).host : getExternalUrl(config).host;

/** The base of every URL in responses, parsed once per configuration because every record needs it. */
export function getExternalUrl(config: Config): Readonly<URL> {
  const url = urls.get(config) ?? new URL(config.externalUrl);
  urls.set(config, url);
  return url;
}
