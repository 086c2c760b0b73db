import type { Goal } from '../goal.js';
import type { Attackers } from './attackers.js';
import type { Ground } from './ground.js';

/** Something else that is measured, by itself and while the attack runs. */
export interface Beside {
  quiet?(): Promise<void>;
  /** @param stop aborts when the attack is over */
  meanwhile?(stop: AbortSignal): Promise<void>;
  goals(): Promise<Goal[]> | Goal[];
  /** Runs in any case in the end. */
  close?(): Promise<void>;
}

/** Hostile load, and what it is aimed at. */
export interface Attack<T> {
  name: string;
  /** Whether a worker runs next to the API. */
  worker?: boolean;
  /** Creates the target of the attack. The result is passed to the attackers as JSON. */
  prepare(ground: Ground): Promise<T>;
  /** Runs in the attackers' process, until they are stopped. */
  run(attackers: Attackers, target: T): Promise<void>;
  beside?(ground: Ground, target: T): Beside;
}

/** An attack whose target's type only the attack itself knows. */
export type AnyAttack = Attack<unknown>;

/** Declares an attack. */
export function attack<T>(declared: Attack<T>): AnyAttack {
  return declared as unknown as AnyAttack;
}
