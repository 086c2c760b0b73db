import type { UserOrAnonymous } from '../../../shared/core/context/callers.js';
import { Field, ObjectType } from 'type-graphql';
import type { Rule } from '../../../shared/core/operations/policy.js';

/** Abilities of a policy by the names that callers see. */
type PermissionFields<A extends string> = Record<string, A | { ability: A; deprecated: string }>;

/**
 * The type behind a `userPermissions` field: one boolean for each ability, answered by the noun's own policy when it is
 * made for a caller and a record.
 * @param permissions field name to ability
 */
export function permissionsType<T, A extends string>(
  name: string,
  policy: Record<A, Rule<T>>,
  permissions: PermissionFields<A>,
) {
  const entries = Object.entries(permissions).map(([field, ability]) => ({
    field,
    ...(typeof ability === 'string' ? { ability } : ability),
  }));

  @ObjectType(name, { description: 'Permissions of the caller.', simpleResolvers: true })
  // oxlint-disable-next-line typescript/no-extraneous-class -- decorators declare types on classes
  class Permissions {
    constructor(caller: UserOrAnonymous, record: T) {
      for (const { field, ability } of entries) Object.assign(this, { [field]: policy[ability](caller, record) });
    }
  }
  for (const entry of entries) {
    const description = `If \`true\`, the caller can perform \`${entry.ability}\` on this resource.`;
    const deprecationReason = 'deprecated' in entry ? { deprecationReason: entry.deprecated } : {};
    Field(() => Boolean, { description, ...deprecationReason })(Permissions.prototype, entry.field);
  }
  return Permissions;
}
