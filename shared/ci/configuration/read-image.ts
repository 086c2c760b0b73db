import { isHash } from '../configuration-model/configuration.types.js';
import type { Hash, ImageConfig, ServiceConfig, Value } from '../configuration-model/configuration.types.js';
import { enterAttribute, enterItem, enterKey, isBlank, pickValue } from './keyword-scope.js';
import { reject, warnUnused } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import { formatScalar, readPlainVariables } from './read-variables.js';
import { checkKeys, flattenItems, readString, readStringOrStrings, readStrings } from './read-shapes.js';

const IMAGE_KEYS = ['name', 'entrypoint', 'ports', 'pull_policy', 'docker', 'kubernetes'];
const SERVICE_KEYS = [...IMAGE_KEYS, 'alias', 'command', 'variables'];
const PULL_POLICIES = ['always', 'never', 'if-not-present'];

/** Reads `image`: a name, or a hash with one. */
export function readImage(value: Value, at: KeywordScope): ImageConfig | undefined {
  return readImageHash(value, at, IMAGE_KEYS);
}

/** Reads `services`. */
export function readServices(value: Value, at: KeywordScope): ServiceConfig[] | undefined {
  const items = Array.isArray(value) ? flattenItems(value, at) : undefined;
  if (!items) return reject(at, 'should be an array');
  return items.map((item) => readService(item, enterItem(at, 'service'))).filter((service) => service !== undefined);
}

function readService(value: Value, at: KeywordScope): ServiceConfig | undefined {
  const service: ServiceConfig | undefined = readImageHash(value, at, SERVICE_KEYS);
  if (!service || !isHash(value)) return service;
  const alias = pickValue(value, 'alias');
  if (alias !== undefined) service.alias = readString(alias, enterAttribute(at, 'alias'));
  const command = pickValue(value, 'command');
  if (command !== undefined) service.command = readStrings(command, enterAttribute(at, 'command'));
  const variables = pickValue(value, 'variables');
  if (variables !== undefined) service.variables = readPlainVariables(variables, enterKey(at, 'variables'));
  return service;
}

function readImageHash(value: Value, at: KeywordScope, keys: readonly string[]): ImageConfig | undefined {
  const hash: Value = typeof value === 'string' ? { name: value } : value;
  if (!isHash(hash)) return reject(at, 'should be a hash or a string');
  checkKeys(hash, at, keys);
  const name = readName(hash, enterAttribute(at, 'name'));
  if (name === undefined) return undefined;
  const image: ImageConfig = { name };
  const entrypoint = pickValue(hash, 'entrypoint');
  if (entrypoint !== undefined) image.entrypoint = readStrings(entrypoint, enterAttribute(at, 'entrypoint'));
  const policy = pickValue(hash, 'pull_policy');
  if (policy !== undefined) image.pull_policy = readPullPolicy(policy, enterKey(at, 'pull_policy'));
  const docker = readOptions(hash, at, 'docker', { platform: 64, user: 255 });
  if (docker) image.docker = docker;
  const kubernetes = readOptions(hash, at, 'kubernetes', { user: 255 });
  if (kubernetes) image.kubernetes = kubernetes;
  if (pickValue(hash, 'ports') !== undefined) warnUnused(enterKey(at, 'ports'));
  return image;
}

function readName(hash: Hash, at: KeywordScope): string | undefined {
  const name = pickValue(hash, 'name');
  if (name === undefined || isBlank(name)) return reject(at, "can't be blank");
  return readString(name, at);
}

function readPullPolicy(value: Value, at: KeywordScope): string[] | undefined {
  const policies = readStringOrStrings(value, at);
  if (!policies) return undefined;
  if (policies.length === 0) return reject(at, "can't be blank");
  const unknown = policies.filter((policy) => !PULL_POLICIES.includes(policy));
  if (unknown.length === 0) return policies;
  const list = `contains unknown values: ${unknown.join(', ')}`;
  return reject(at, Array.isArray(value) ? list : 'is not included in the list');
}

/** Reads the options of an executor: texts of these lengths; the user may be a number. Runners take no others. */
function readOptions(
  image: Hash,
  at: KeywordScope,
  key: string,
  limits: Record<string, number>,
): Record<string, string> | undefined {
  const value = pickValue(image, key);
  if (value === undefined) return undefined;
  const options: Record<string, string> = {};
  const valid =
    isHash(value) &&
    Object.keys(value).every((name) => {
      const limit = Object.hasOwn(limits, name) ? limits[name]! : 0;
      const text = name === 'user' ? formatScalar(value[name]) : value[name];
      if (typeof text !== 'string' || text === '' || text.length > limit) return false;
      options[name] = text;
      return true;
    });
  return valid ? options : reject(enterAttribute(at, 'executor_opts'), 'must be a valid json schema');
}
