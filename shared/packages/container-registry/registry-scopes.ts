import { BadParams } from '../../core/values/errors.js';

/**
 * More than any client requests: one for the repository it pulls or pushes, and one for each repository that it mounts
 * from.
 */
const MOST_SCOPES = 20;
const MOST_ACTIONS = 20;
/** As the registry has it. */
const PATH_CHARACTERS = 255;

/** Own pattern: names of repositories, by the grammar of the registry's references. */
const REPOSITORY = /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*$/;

/** A scope requested by a client. */
export interface RegistryScope {
  type: string;
  name: string;
  /** Each once. */
  actions: readonly string[];
}

/** Whether the registry may know a repository of this name. */
export const isRepositoryPath = (name: string): boolean => name.length <= PATH_CHARACTERS && REPOSITORY.test(name);

function getScope(text: string): RegistryScope {
  // The name between the first and last colon may itself contain colons, before a port.
  const [first, last] = [text.indexOf(':'), text.lastIndexOf(':')];
  if (first <= 0 || last === first) throw new BadParams(['scope is invalid']);
  const actions = text.slice(last + 1).split(',', MOST_ACTIONS + 1);
  if (actions.length > MOST_ACTIONS) throw new BadParams(['scope is invalid']);
  return { type: text.slice(0, first), name: text.slice(first + 1, last), actions: [...new Set(actions)] };
}

/**
 * Reads the scopes of a token request, such as `repository:acme/rocket:pull,push`: several in one string separated by
 * spaces, or in several strings.
 * @throws BadParams for invalid scopes, and for more scopes, or actions per scope, than any client sends
 */
export function readScopes(texts: readonly string[]): RegistryScope[] {
  const scopes = texts.flatMap((text) => text.split(' ').filter((part) => part !== ''));
  if (scopes.length > MOST_SCOPES) throw new BadParams(['scope is invalid']);
  return scopes.map(getScope);
}
