import { api, unwrap } from './api.js';
import { ApiProblem } from './problem.js';

const BAD_REQUEST = 400;

interface UserRef {
  id: number;
  username: string;
}

/**
 * Ids of users by their user names; the API does not accept names.
 * @param people users whose ids are already known
 * @throws ApiProblem at `field` if a user does not exist
 */
export async function idsOfPeople(
  field: string,
  names: readonly string[],
  people: readonly UserRef[],
): Promise<number[]> {
  const byName = new Map(people.map(({ username, id }) => [username.toLowerCase(), id]));
  return Promise.all(
    names.map(async (name) => {
      const id = byName.get(name.toLowerCase());
      if (id !== undefined) return id;
      const [found] = (await unwrap(api.GET('/users', { params: { query: { username: name } } }))) as { id: number }[];
      if (found) return found.id;
      const message = `User “${name}” not found.`;
      throw new ApiProblem(message, BAD_REQUEST, null, { [field]: [message] });
    }),
  );
}

/**
 * A sentence about the users that the API ignored, since they have no access to the project; empty if there are none.
 */
export function passedOver(
  what: string,
  requestedNames: readonly string[] = [],
  people: readonly { username: string }[],
): string {
  const names = new Set(people.map(({ username }) => username.toLowerCase()));
  const left = requestedNames.filter((name) => !names.has(name.toLowerCase()));
  return left.length === 0 ? '' : ` ${what}: ${left.join(', ')}.`;
}
