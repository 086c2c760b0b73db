import { isPrincipal } from '../context/callers.js';
import type { Caller, UserOrAnonymous } from '../context/callers.js';

/** Whether a caller may do one thing with a record. Short facts: role first, then ownership, then exceptions. */
export type Rule<T, C extends Caller = Caller> = (caller: C, record: T) => boolean;

/**
 * Declares the permissions for records of a noun by ability; operations and documentation use the same strings. The
 * rules apply to users and anonymous callers; callers of other kinds get the permissions that their own domain defines,
 * by the same abilities.
 */
export function policy<T, const A extends string>(rules: Record<A, Rule<T, UserOrAnonymous>>): Record<A, Rule<T>> {
  const forAll = (Object.entries(rules) as [A, Rule<T, UserOrAnonymous>][]).map(([ability, rule]): [A, Rule<T>] => [
    ability,
    (caller, record) => (isPrincipal(caller) ? caller.may(ability, record) : rule(caller, record)),
  ]);
  return Object.fromEntries(forAll) as Record<A, Rule<T>>;
}

/** The default roles and their levels (core-resources.md, introduction). */
export const ACCESS_LEVELS = {
  no_access: 0,
  minimal: 5,
  guest: 10,
  planner: 15,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
  admin: 60,
} as const;

export type Role = keyof typeof ACCESS_LEVELS;

/** A record that carries the caller's effective access, loaded with it by its finder. */
export interface WithAccess {
  /** The caller's effective access level: direct, inherited or shared; 0 for none. */
  access: number;
}

/** Whether the caller's effective role in a container is at least `role`. Administrators pass. */
export function roleIn(caller: UserOrAnonymous, container: WithAccess, role: Role): boolean {
  return caller.admin || container.access >= ACCESS_LEVELS[role];
}
